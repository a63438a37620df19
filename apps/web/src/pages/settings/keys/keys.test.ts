import { describe, expect, test } from 'bun:test';
import type { ApiKey } from '@hub/contract';
import { daysFromNow, NOW, testKey } from '@hub/contract/test-key.fixture';
import { groupKeys, type KeyFilter } from './group-keys.ts';
import { countWorking, isIdle, isOver, isReplacementOf, latestUsage, stateOf } from './key-state.ts';
import { switchedMachines, switchedText } from './switched-machines.ts';

describe('the list of keys', () => {
  const ALL: KeyFilter = { hubId: null, state: null, issuerId: null, includeInactive: false, text: '' };
  const rotated = (id: string, successorId: string) =>
    testKey({ id, successorId, state: 'rotated', overlapEndsAt: daysFromNow(0.5) });

  /** "Deploys: b, a < a2": the lines of each Hub as the ids of their keys, previous keys after "<". */
  const shown = (keys: readonly ApiKey[], filter: Partial<KeyFilter> = {}): string[] =>
    groupKeys(keys, { ...ALL, ...filter }, NOW).map(
      ({ hubName, lines }) =>
        `${hubName}: ${lines.map(({ key, old }) => [key, ...old].map(({ id }) => id).join(' < ')).join(', ')}`,
    );

  test('groups keys by Hub and sorts them by name, inactive keys last and only when requested', () => {
    const keys = [
      testKey({ id: 'w', hubId: 'hub_2', hubName: 'Website', name: 'forms' }),
      testKey({ id: 'b', name: 'beta' }),
      testKey({ id: 'a0', name: 'alpha', state: 'revoked', revokedAt: daysFromNow(-1) }),
      testKey({ id: 'a', name: 'alpha' }),
    ];
    expect(shown(keys)).toEqual(['Deploys: a, b', 'Website: w']);
    expect(shown(keys, { includeInactive: true })).toEqual(['Deploys: a, b, a0', 'Website: w']);
    expect(shown(keys, { state: 'revoked' })).toEqual(['Deploys: a0']);
    expect(shown(keys, { hubId: 'hub_2' })).toEqual(['Website: w']);
    expect(shown(keys, { text: 'BET' })).toEqual(['Deploys: b']);
    const byAda = keys.map((key) =>
      key.id === 'a' ? { ...key, createdBy: { ...key.createdBy, id: 'usr_ada' } } : key,
    );
    expect(shown(byAda, { issuerId: 'usr_ada' })).toEqual(['Deploys: a']);
  });

  test('lists a rotated key below its newest successor while it works, and separately afterwards', () => {
    const newest = testKey({ id: '3', generation: 3, predecessorId: '2' });
    const keys = [newest, rotated('2', '3'), rotated('1', '2')];
    expect(shown(keys)).toEqual(['Deploys: 3 < 2 < 1']);
    expect(shown(keys, { state: 'rotated' })).toEqual(['Deploys: 3 < 2 < 1']);
    const ended = { ...rotated('1', '2'), overlapEndsAt: daysFromNow(-1) };
    expect(shown([newest, ended], { includeInactive: true })).toEqual(['Deploys: 3, 1']);
  });
});

describe('the state of a key', () => {
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
      expect(latestUsage(blocked, { ...blocked, ...before, blockedUntil: blocked.blockedUntil })?.at(-1)?.blocks).toBe(
        0,
      );
    });

    test('keeps the usage if the last use was on another day, and prefers usage that was just loaded', () => {
      expect(latestUsage(testKey({ postCount: 6, lastUsedAt: daysFromNow(1) }), before)).toEqual(before.usage);
      const loaded = testKey({ postCount: 6, lastUsedAt: daysFromNow(0), usage: [day(0, 6)] });
      expect(latestUsage(loaded, before)).toEqual([day(0, 6)]);
      expect(latestUsage(testKey({ postCount: 6 }), undefined)).toBeUndefined();
    });
  });
});

describe('the machines of a rotated key', () => {
  const use = (address: string, days: number) => ({ address, lastUsedAt: daysFromNow(days), requests: 1 });
  const ROTATED = daysFromNow(0);

  test('counts an address as switched once it has used the successor after the old key', () => {
    const switched = switchedMachines([use('a', -1), use('b', 0.1)], [use('a', 0.2)], ROTATED);
    expect(switched).toEqual({ all: 2, switched: 1, left: ['b'] });
    expect(switchedText(switched)).toBe('1 of 2 machines switched');
  });

  test.each([
    [0, 0, 'Not used recently'],
    [1, 0, '1 machine hasn’t switched yet'],
    [1, 1, 'Nothing uses this key anymore'],
    [3, 0, '0 of 3 machines switched'],
    [3, 3, 'All 3 machines switched'],
  ])('describes %p machines of which %p have switched', (all, switched, text) => {
    expect(switchedText({ all, switched, left: [] })).toBe(text);
  });
});
