import { describe, expect, test } from 'bun:test';
import { daysFromNow, NOW, testKey } from '@hub/testkit/web/test-key';
import { countWorking, isIdle, isOver, isReplacementOf, latestUsage, stateOf } from './key-state.ts';

test.each([
  ['active', {}],
  ['active', { expiresAt: null }],
  ['active', { expiresAt: daysFromNow(14.01) }],
  ['expiring', { expiresAt: daysFromNow(14) }],
  ['expired', { expiresAt: daysFromNow(0) }],
  ['expired', { state: 'expired', expiresAt: daysFromNow(-3) }],
  ['rotated', { state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(0.5) }],
  ['expired', { state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(0) }],
  ['blocked', { state: 'blocked', blockedUntil: daysFromNow(0.001) }],
  ['active', { state: 'blocked', blockedUntil: daysFromNow(0) }],
  ['active', { createdAt: daysFromNow(-2), expiresAt: daysFromNow(8) }],
  ['expiring', { createdAt: daysFromNow(-3), expiresAt: daysFromNow(7) }],
  ['expiring', { createdAt: daysFromNow(-17), expiresAt: daysFromNow(14) }],
  ['active', { createdAt: daysFromNow(0), expiresAt: daysFromNow(0.5) }],
  ['hubless', { isHubDeleted: true, expiresAt: daysFromNow(3) }],
  ['hubless', { isHubDeleted: true, state: 'blocked', blockedUntil: daysFromNow(0.001) }],
  ['expired', { isHubDeleted: true, expiresAt: daysFromNow(0) }],
  ['revoked', { state: 'revoked', revokedAt: daysFromNow(-1), expiresAt: daysFromNow(-1) }],
] as const)('a key is %s with %j', (state, over) => {
  expect(stateOf(testKey(over), NOW)).toBe(state);
  expect(isOver(testKey(over), NOW)).toBe(state === 'expired' || state === 'revoked');
  expect(isIdle(testKey(over), NOW)).toBe(['expired', 'revoked', 'hubless'].includes(state));
});

test('counts working keys, including both keys of a rotation, but not revoked keys or keys of a deleted Hub', () => {
  const keys = [
    testKey(),
    testKey({ state: 'rotated', successorId: 'key_1', overlapEndsAt: daysFromNow(0.5) }),
    testKey({ state: 'blocked', blockedUntil: daysFromNow(0.001) }),
    testKey({ state: 'revoked', revokedAt: daysFromNow(-1) }),
    testKey({ isHubDeleted: true }),
  ];
  expect(countWorking(keys, NOW)).toBe(3);
});

test('tells a replacement from a rotation: the old key was revoked when the new one was issued', () => {
  const key = testKey({ id: 'key_2', predecessorId: 'key_1', createdAt: daysFromNow(-1) });
  expect(isReplacementOf(key, testKey({ successorId: 'key_2', revokedAt: daysFromNow(-1) }))).toBe(true);
  expect(isReplacementOf(key, testKey({ successorId: 'key_2', revokedAt: daysFromNow(-0.5) }))).toBe(false);
  expect(isReplacementOf(key, testKey({ successorId: 'key_2', overlapEndsAt: daysFromNow(0) }))).toBe(false);
  expect(isReplacementOf(key, undefined)).toBe(false);
});

describe('latestUsage', () => {
  const day = (daysAgo: number, posts: number, blocks = 0) => ({
    day: daysFromNow(-daysAgo).slice(0, 10),
    requests: posts,
    posts,
    blocks,
  });
  const before = testKey({ postCount: 4, usage: [day(1, 3), day(0, 1)] });

  test('adds the posts and the block since the usage was loaded to the day of the last use', () => {
    const used = testKey({ postCount: 6, lastUsedAt: daysFromNow(0) });
    expect(latestUsage(used, before)).toEqual([day(1, 3), { ...day(0, 1), posts: 3 }]);
    const blocked = { ...used, blockedUntil: daysFromNow(0.001) };
    expect(latestUsage(blocked, before)?.at(-1)).toMatchObject({ posts: 3, blocks: 1 });
    expect(latestUsage(blocked, { ...blocked, ...before, blockedUntil: blocked.blockedUntil })?.at(-1)?.blocks).toBe(0);
  });

  test('keeps the usage if the last use was on another day, and prefers usage that was just loaded', () => {
    expect(latestUsage(testKey({ postCount: 6, lastUsedAt: daysFromNow(1) }), before)).toEqual(before.usage);
    const loaded = testKey({ postCount: 6, lastUsedAt: daysFromNow(0), usage: [day(0, 6)] });
    expect(latestUsage(loaded, before)).toEqual([day(0, 6)]);
    expect(latestUsage(testKey({ postCount: 6 }), undefined)).toBeUndefined();
  });
});
