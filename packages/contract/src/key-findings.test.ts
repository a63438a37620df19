import { expect, test } from 'bun:test';
import { findingsOf } from './key-findings.ts';
import type { ApiKey } from './workspace.ts';

const NOW = Date.parse('2026-03-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

/** Returns the instant this many days from now; negative numbers are in the past. */
const daysFromNow = (days: number): string => new Date(NOW + days * DAY_MS).toISOString();

/** Returns an active key without findings. */
function testKey(over: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1',
    hubId: 'hub_1',
    hubName: 'Deploys',
    isHubDeleted: false,
    name: 'canary-watch',
    hint: 'hub_live_…R3ew',
    scopes: ['messages:create'],
    state: 'active',
    generation: 1,
    predecessorId: null,
    successorId: null,
    createdAt: daysFromNow(-60),
    createdBy: { kind: 'user', id: 'per_1', name: 'Mara Lindqvist' },
    isIssuerGone: false,
    expiresAt: daysFromNow(200),
    overlapEndsAt: null,
    blockedUntil: null,
    revokedAt: null,
    lastUsedAt: daysFromNow(-1),
    lastUsedAddress: '192.0.2.1',
    requestCount: 50,
    postCount: 50,
    unusedScopes: [],
    ...over,
  };
}

const findings = (over: Partial<ApiKey>) => findingsOf([testKey(over)], NOW).map(({ finding }) => finding);
const day = (ago: number, blocks: number) => ({ day: daysFromNow(-ago).slice(0, 10), requests: 1, posts: 1, blocks });

test('reports nothing about a key that is in use, expires in the distant future and uses its permissions', () => {
  expect(findings({})).toEqual([]);
});

test.each([
  [['no-expiry'], { expiresAt: null }],
  [['expiring'], { expiresAt: daysFromNow(13) }],
  [['unused'], { lastUsedAt: daysFromNow(-90) }],
  [[], { lastUsedAt: daysFromNow(-89) }],
  [['never-used'], { lastUsedAt: null, postCount: 0 }],
  [[], { lastUsedAt: null, postCount: 0, createdAt: daysFromNow(-6) }],
  [['wide'], { scopes: ['messages:create', 'notes:create'], unusedScopes: ['notes:create'] }],
  [[], { unusedScopes: ['notes:create'], postCount: 9 }],
  [[], { unusedScopes: ['notes:create'], createdAt: daysFromNow(-29) }],
  [['blocked'], { state: 'blocked', blockedUntil: daysFromNow(0.001) }],
  [['blocked'], { usage: [day(5, 1), day(4, 0)] }],
  [[], { usage: [day(9, 1)] }],
  [['issuer-gone'], { isIssuerGone: true }],
] as [string[], Partial<ApiKey>][])('reports %j for a key with %j', (expected, over) => {
  expect(findings(over)).toEqual(expected as never[]);
});

test('reports a key that lasts longer than the maximum lifetime, whether or not it expires', () => {
  const beyond = (over: Partial<ApiKey>, maxDays = 259) =>
    findingsOf([testKey(over)], NOW, maxDays).map(({ finding }) => finding);
  expect(beyond({ expiresAt: null })).toEqual(['outlasts']);
  expect(beyond({})).toEqual(['outlasts']);
  expect(beyond({}, 260)).toEqual([]);
  expect(beyond({ state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(1) })).toEqual([]);
});

test('reports nothing about inactive or rotated keys, or keys of a deleted Hub', () => {
  expect(findings({ isHubDeleted: true, expiresAt: null, lastUsedAt: null })).toEqual([]);
  expect(findings({ state: 'revoked', revokedAt: daysFromNow(-1), expiresAt: null })).toEqual([]);
  expect(findings({ state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(1), expiresAt: null })).toEqual(
    [],
  );
});

test('groups findings by kind, most urgent first, and sorts the keys of each by their end', () => {
  const keys = [
    testKey({ id: 'a', expiresAt: null }),
    testKey({ id: 'b', expiresAt: daysFromNow(10) }),
    testKey({ id: 'c', expiresAt: daysFromNow(2) }),
    testKey({ id: 'd', state: 'blocked', blockedUntil: daysFromNow(0.001) }),
  ];
  expect(
    findingsOf(keys, NOW).map(({ finding, keys: affected }) => [finding, ...affected.map(({ id }) => id)]),
  ).toEqual([
    ['expiring', 'c', 'b'],
    ['blocked', 'd'],
    ['no-expiry', 'a'],
  ]);
});
