import { describe, expect, test } from 'bun:test';
import type { Role, User } from '@hub/contract';
import { isShorter } from './hubs/hubs-list.ts';
import { isOnlyOwner, shownMembers } from './members/users-list.ts';
import { obstacleOf, pushObstacleOf } from './notifications/notification-texts.ts';
import { browserName } from './own/browser-name.ts';
import { tokenState } from './own/token-state.ts';

const MOZILLA = 'Mozilla/5.0';
test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36 Edg/149.0`,
    'Edge on Windows',
  ],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 Version/19 Safari/605.1.15`, 'Safari on macOS'],
  [`${MOZILLA} (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0`, 'Firefox on Linux'],
  [`${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149.0 Safari/604.1`, 'Chrome on iOS'],
])('the browser %s is named %s', (agent, name) => expect(browserName(agent)).toBe(name));

test.each([
  ['2026-03-01T11:59:59.999Z', { state: 'active' }],
  ['2026-03-01T12:00:00.000Z', { state: 'soon', days: 14 }],
  ['2026-03-15T11:59:59.999Z', { state: 'soon', days: 1 }],
  ['2026-03-15T12:00:00.000Z', { state: 'expired' }],
])('at %s, the state of a token that expires on 15 March at noon is %j', (now, state) => {
  expect(tokenState({ expiresAt: '2026-03-15T12:00:00.000Z' }, Date.parse(now))).toEqual(state as never);
  expect(tokenState({ expiresAt: null }, Date.parse(now))).toEqual({ state: 'active' });
});

test('only a retention period that deletes more items than the current one is shorter', () => {
  const pairs = [
    [30, null],
    [30, 90],
    [90, 30],
    [90, 90],
    [null, 30],
  ] as const;
  expect(pairs.map(([days, former]) => isShorter(days, former))).toEqual([true, true, false, false, false]);
});

describe('members', () => {
  const user = (id: string, name: string, role: Role = 'member', disabledAt: string | null = null): User => ({
    id,
    name,
    role,
    disabledAt,
    email: `${id}@example.org`,
    createdAt: '2026-03-01T09:30:00.000Z',
    lastSeenAt: null,
  });
  const ADA = user('ada', 'Ada Lovelace', 'owner');
  const BOB = user('robert', 'Bob Kahn', 'admin');
  const EVE = user('eve', 'Ève Gone', 'member', '2026-03-01T09:30:00.000Z');
  const ALL = [ADA, EVE, BOB];

  test.each([
    ['', false, 'ada robert'],
    ['', true, 'ada robert eve'],
    ['kahn', false, 'robert'],
    ['bert@', false, 'robert'],
    ['eve', false, ''],
    ['eve', true, 'eve'],
  ])('by %j, with disabled ones: %p, are %j', (text, areDisabledShown, ids) =>
    expect(
      shownMembers(ALL, { text, areDisabledShown })
        .map(({ id }) => id)
        .join(' '),
    ).toBe(ids),
  );

  test('does not count a disabled owner as the last owner', () => {
    const former = user('former', 'Former', 'owner', '2026-03-01T09:30:00.000Z');
    expect(isOnlyOwner([...ALL, former], ADA)).toBe(true);
    expect(isOnlyOwner([...ALL, user('two', 'Two', 'owner')], ADA)).toBe(false);
    expect(isOnlyOwner(ALL, BOB)).toBe(false);
  });
});

test('what keeps notifications from working is explained', () => {
  const good = { isSecure: true, host: 'hub.example.org', permission: 'default', isAppleDevice: false } as const;
  expect(obstacleOf(good)).toBeNull();
  expect(obstacleOf({ ...good, permission: 'denied' })).toContain('Allow them in its settings');
  expect(obstacleOf({ ...good, permission: null })).toBe('This browser can’t show notifications.');
  expect(obstacleOf({ ...good, permission: null, isAppleDevice: true })).toContain('Add to Home Screen');
  expect(pushObstacleOf({ isPushOn: false, supportsPush: true })).toContain('HUB_PUSH');
  expect(pushObstacleOf({ isPushOn: true, supportsPush: true })).toBeNull();
});
