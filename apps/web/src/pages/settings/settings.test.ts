import { describe, expect, test } from 'bun:test';
import type { AuditEntry, Role, User } from '@hub/contract';
import { deviceName } from '@hub/contract/device-name';
import { isOnlyOwner, shownMembers } from './members/users-list.ts';
import { obstacleOf, pushObstacleOf } from './notifications/notification-texts.ts';
import { isShorter, tokenState } from './settings-texts.ts';
import { actionText } from './workspace/audit-actions.ts';
import { auditFilters, csvOf, queryOf } from './workspace/audit-log.ts';

const MOZILLA = 'Mozilla/5.0';
test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/149 Safari/537.36 Edg/149`, 'Edge on Windows'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 Version/19 Safari/605.1.15`, 'Safari on macOS'],
  [`${MOZILLA} (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0`, 'Firefox on Linux'],
  [`${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149.0 Safari/604.1`, 'Chrome on iOS'],
])('the browser %s is named %s', (agent, name) => expect(deviceName(agent)).toBe(name));

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
  expect([isShorter(30, null), isShorter(30, 90)]).toEqual([true, true]);
  expect([isShorter(90, 30), isShorter(90, 90), isShorter(null, 30)]).toEqual([false, false, false]);
});

describe('members', () => {
  const user = (id: string, name: string, role: Role = 'member', disabledAt: string | null = null): User => ({
    ...{ id, name, role, disabledAt, email: `${id}@example.org` },
    ...{ createdAt: '2026-03-01T09:30:00.000Z', lastSeenAt: null },
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
  ])('by %j, with disabled ones: %p, are %j', (text, areDisabledShown, ids) => {
    const shown = shownMembers(ALL, { text, areDisabledShown });
    expect(shown.map(({ id }) => id).join(' ')).toBe(ids);
  });

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

const ENTRY: AuditEntry = {
  ...{ id: 'aud_1', at: '2026-11-12T05:20:11.000Z', actor: { kind: 'user', id: 'usr_1', name: 'Mara' }, address: null },
  ...{ action: 'key.revoked', hubId: 'hub_1', targetId: 'key_1', targetName: 'deploy-pipeline', details: {} },
};

describe('an audit entry', () => {
  const textOf = (entry: Partial<AuditEntry>) =>
    actionText({ ...ENTRY, ...entry }, undefined)
      .map((piece) => (typeof piece === 'string' ? piece : piece.name))
      .join('');

  test.each<[Partial<AuditEntry>, string]>([
    [{}, 'Revoked deploy-pipeline'],
    [{ details: { successorId: 'key_2' } }, 'Revoked the old key of deploy-pipeline'],
    [
      { action: 'key.issued', details: { scopes: ['messages:create', 'todos:create'], expiresAt: null } },
      'Issued deploy-pipeline for messages and to-dos, with no expiry',
    ],
    [{ action: 'key.replaced' }, 'Replaced deploy-pipeline; the old key stopped working immediately'],
    [{ action: 'hub.renamed', details: { from: 'Releases', to: 'Deploys' } }, 'Renamed the Hub Releases to Deploys'],
    [{ action: 'item.deleted', details: { kind: 'todo' } }, 'Deleted a to-do'],
    [{ action: 'item.restored', details: { kind: 'note' } }, 'Restored a note'],
    // Unknown actions, and missing details.
    [{ action: 'moon.landed', targetName: 'Eagle' }, 'moon.landed: Eagle'],
    [{ action: 'key.rotated', details: {} }, 'Rotated deploy-pipeline'],
    [{ action: 'key.revoked', targetName: null }, 'Revoked key_1'],
  ])('%j is described as "%s"', (entry, text) => expect(textOf(entry)).toBe(text));

  test('of removed posts has their count, and of a retention period what it means', () => {
    expect(textOf({ action: 'posts.removed', details: { count: 1_200 } })).toContain('Removed 1');
    expect(textOf({ action: 'hub.changed', details: { retentionDays: null } })).toEndWith('items are kept forever');
  });
});

test('the export of the audit log quotes CSV cells where needed, and neutralizes formulas', () => {
  const actor = { kind: 'user', id: 'usr_1', name: 'Lindqvist, "Mara"' } as const;
  expect(csvOf([{ ...ENTRY, actor, targetName: '=cmd()', details: { a: 1 } }])).toBe(
    'at,actorKind,actorId,actorName,address,action,hubId,targetId,targetName,details\r\n' +
      `2026-11-12T05:20:11.000Z,user,usr_1,"Lindqvist, ""Mara""",,key.revoked,hub_1,key_1,'=cmd(),"{""a"":1}"\r\n`,
  );
});

test('the filter of the audit log has users by id, other actors by kind, and whole days that exist', () => {
  const read = (query: string) => auditFilters.read(new URLSearchParams(query));
  expect(queryOf(read('who=server'))).toMatchObject({ actorKind: 'server', actorId: null });
  expect(queryOf(read('who=usr_1'))).toMatchObject({ actorKind: null, actorId: 'usr_1' });
  const [from, to] = [new Date(2026, 10, 30), new Date(2026, 11, 1)].map((day) => day.toISOString());
  expect(queryOf(read('from=2026-11-30&to=2026-11-30'))).toMatchObject({ from, to });
  for (const day of ['whenever', '2026-99-99', '2026-02-31']) {
    expect(read(`from=${day}&to=2026-01-01`)).toMatchObject({ from: null, to: '2026-01-01' });
  }
});
