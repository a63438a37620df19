import { describe, expect, test } from 'bun:test';
import type { Role, User } from '@hub/contract';
import { isShorter } from './hubs/hubs-list.ts';
import { isOnlyOwner, shownMembers } from './members/users-list.ts';
import { obstacleOf, pushObstacleOf } from './notifications/notification-texts.ts';
import { browserName } from './own/browser-name.ts';
import { tokenState } from './own/token-state.ts';

describe('sessions', () => {
  test('names browsers and operating systems by their common names', () => {
    expect(
      browserName(
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36 Edg/149.0',
      ),
    ).toBe('Edge on Windows');
    expect(
      browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 Version/19 Safari/605.1.15'),
    ).toBe('Safari on macOS');
    expect(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0')).toBe(
      'Firefox on Linux',
    );
    expect(browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149.0 Safari/604.1')).toBe(
      'Chrome on iOS',
    );
  });
});

describe('tokens', () => {
  const END = '2026-03-15T12:00:00.000Z';
  const at = (iso: string) => tokenState({ expiresAt: END }, Date.parse(iso));

  test('warns starting 14 days before a token expires, and treats it as expired from the instant of its expiry', () => {
    expect(tokenState({ expiresAt: null }, 0)).toEqual({ state: 'active' });
    expect(at('2026-03-01T11:59:59.999Z')).toEqual({ state: 'active' });
    expect(at('2026-03-01T12:00:00.000Z')).toEqual({ state: 'soon', days: 14 });
    expect(at('2026-03-15T11:59:59.999Z')).toEqual({ state: 'soon', days: 1 });
    expect(at(END)).toEqual({ state: 'expired' });
  });
});

describe('Hubs', () => {
  test('isShorter is true only for a retention period that deletes more items than the current one', () => {
    expect(isShorter(30, null)).toBe(true);
    expect(isShorter(30, 90)).toBe(true);
    expect(isShorter(90, 30)).toBe(false);
    expect(isShorter(90, 90)).toBe(false);
    expect(isShorter(null, 30)).toBe(false);
  });
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

  test('finds members by the start of any part of their name, or by any part of their e-mail address', () => {
    const found = (text: string, areDisabledShown = false) =>
      shownMembers(ALL, { text, areDisabledShown }).map(({ id }) => id);
    expect(found('')).toEqual(['ada', 'robert']);
    expect(found('', true)).toEqual(['ada', 'robert', 'eve']);
    expect(found('kahn')).toEqual(['robert']);
    expect(found('bert@')).toEqual(['robert']);
    expect(found('eve')).toEqual([]);
    expect(found('eve', true)).toEqual(['eve']);
  });

  test('does not count a disabled owner as the last owner', () => {
    const former = user('former', 'Former', 'owner', '2026-03-01T09:30:00.000Z');
    expect(isOnlyOwner([...ALL, former], ADA)).toBe(true);
    expect(isOnlyOwner([...ALL, user('two', 'Two', 'owner')], ADA)).toBe(false);
    expect(isOnlyOwner(ALL, BOB)).toBe(false);
  });
});

describe('notifications', () => {
  const good = { isSecure: true, host: 'hub.example.org', permission: 'default', isAppleDevice: false } as const;

  test('explains why notifications do not work, and what to do', () => {
    expect(obstacleOf(good)).toBeNull();
    expect(obstacleOf({ ...good, isSecure: false })).toContain('https');
    expect(obstacleOf({ ...good, permission: 'denied' })).toContain('Allow them in its settings');
    expect(obstacleOf({ ...good, permission: null })).toBe('This browser can’t show notifications.');
    expect(obstacleOf({ ...good, permission: null, isAppleDevice: true })).toContain('Add to Home Screen');
    expect(pushObstacleOf({ isPushOn: false, supportsPush: true })).toContain('HUB_PUSH');
    expect(pushObstacleOf({ isPushOn: true, supportsPush: true })).toBeNull();
  });
});
