import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findingsOf } from './key-findings.ts';
import { currentState, isValid, keyState, validUntil } from './key-state.ts';
import {
  BASE62,
  buildToken,
  checksum,
  crc32,
  hasTokenFormat,
  KEY_PREFIX,
  PERSONAL_TOKEN_PREFIX,
  RANDOM_CHARACTERS,
} from './key-token.ts';
import { dueWarning } from './key-warnings.ts';
import type { ApiKey } from './keys.ts';
import { daysFromNow, NOW as TODAY, testKey } from './test-key.fixture.ts';

const KEY = { expiresAt: null, overlapEndsAt: null, revokedAt: null, blockedUntil: null, successorId: null };

test('a key is valid until the earlier of its expiry and the end of its overlap, and not once it is revoked', () => {
  expect(validUntil(KEY)).toBeNull();
  for (const ends of [{ expiresAt: 10 }, { overlapEndsAt: 10 }, { expiresAt: 10, overlapEndsAt: 20 }]) {
    expect(validUntil({ ...KEY, ...ends })).toBe(10);
    expect([9, 10].map((now) => isValid({ ...KEY, ...ends }, now))).toEqual([true, false]);
  }
  expect(validUntil({ ...KEY, expiresAt: 20, overlapEndsAt: 10 })).toBe(10);
  expect(isValid({ ...KEY, revokedAt: 5 }, 4)).toBe(false);
});

test('keyState returns a final state rather than a block, and a block rather than a rotation', () => {
  const all = { expiresAt: 10, overlapEndsAt: 10, revokedAt: 5, blockedUntil: 10, successorId: 'key_2' };
  expect(keyState(all, 10)).toBe('revoked');
  expect(keyState({ ...all, revokedAt: null }, 10)).toBe('expired');
  expect(keyState({ ...all, revokedAt: null }, 9)).toBe('blocked');
  expect(keyState({ ...all, revokedAt: null, blockedUntil: 9 }, 9)).toBe('rotated');
  expect(keyState(KEY, 9)).toBe('active');
});

test('a key from an earlier response has the state that follows from its times and the current time', () => {
  const at = new Date(10).toISOString();
  for (const [over, before, after] of [
    [{ expiresAt: at }, 'active', 'expired'],
    [{ state: 'blocked', blockedUntil: at }, 'blocked', 'active'],
    [{ state: 'rotated', successorId: 'key_2', overlapEndsAt: at }, 'rotated', 'expired'],
  ] as const) {
    const key = { ...KEY, state: 'active', ...over } as ApiKey;
    expect([9, 10].map((now) => currentState(key, now))).toEqual([before, after]);
  }
});

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
const due = (lifetimeDays: number, daysLeft: number) =>
  dueWarning({ createdAt: inDays(daysLeft - lifetimeDays), expiresAt: inDays(daysLeft) }, NOW);

test('warnings are due 14, 7 and 1 day before the expiry, except those already due when the key is created', () => {
  expect([15, 14.001, 14, 8, 7, 2, 1, 0.1].map((left) => due(90, left))).toEqual([null, null, 14, 14, 7, 7, 1, 1]);
  expect([14, 7.1, 7, 1].map((left) => due(14, left))).toEqual([null, null, 7, 1]);
  expect([1, 0.1].map((left) => due(1, left))).toEqual([null, null]);
  expect(dueWarning({ createdAt: inDays(-90), expiresAt: null }, NOW)).toBeNull();
});

describe('key findings', () => {
  const findings = (over: Partial<ApiKey>) => findingsOf([testKey(over)], TODAY).map(({ finding }) => finding);
  const day = (ago: number, blocks: number) => ({ day: daysFromNow(-ago).slice(0, 10), requests: 1, posts: 1, blocks });

  const rotated = { state: 'rotated', successorId: 'key_2', overlapEndsAt: daysFromNow(1) } as const;

  test.each([
    [[], {}],
    [[], { isHubDeleted: true, expiresAt: null, lastUsedAt: null }],
    [[], { state: 'revoked', revokedAt: daysFromNow(-1), expiresAt: null }],
    [[], { ...rotated, expiresAt: null }],
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
    const beyond = (over: Partial<ApiKey>, maxDays: number | null = 259) =>
      findingsOf([testKey(over)], TODAY, maxDays).map(({ finding }) => finding);
    expect(beyond({ expiresAt: null })).toEqual(['outlasts']);
    expect(beyond({})).toEqual(['outlasts']);
    expect([beyond({}, 260), beyond({}, null)]).toEqual([[], []]);
    expect(beyond(rotated)).toEqual([]);
  });

  test('groups findings by kind, most urgent first, and sorts the keys of each by their end', () => {
    const keys = [
      testKey({ id: 'a', expiresAt: null }),
      testKey({ id: 'b', expiresAt: daysFromNow(10) }),
      testKey({ id: 'c', expiresAt: daysFromNow(2) }),
      testKey({ id: 'd', state: 'blocked', blockedUntil: daysFromNow(0.001) }),
    ];
    const found = findingsOf(keys, TODAY).map(({ finding, keys: of }) =>
      [finding, ...of.map(({ id }) => id)].join(' '),
    );
    expect(found).toEqual(['expiring c b', 'blocked d', 'no-expiry a']);
  });
});

const randoms = fc
  .array(fc.constantFrom(...BASE62), { minLength: RANDOM_CHARACTERS, maxLength: RANDOM_CHARACTERS })
  .map((all) => all.join(''));
const keys = randoms.map((random) => buildToken(KEY_PREFIX, random));

test('every built key has the format of a key and of no other secret', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(hasTokenFormat(KEY_PREFIX, key)).toBe(true);
      expect(hasTokenFormat(PERSONAL_TOKEN_PREFIX, key)).toBe(false);
      expect(key).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
    }),
  );
});

test('hasTokenFormat detects any single character that was changed, removed, added or swapped with the next', () => {
  const positions = fc.nat(KEY_PREFIX.length + RANDOM_CHARACTERS + 5);
  const characters = fc.oneof(fc.constantFrom(...BASE62), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(keys, positions, characters, (key, at, other) => {
      const [before, here, next, after] = [key.slice(0, at), key.charAt(at), key.charAt(at + 1), key.slice(at + 1)];
      const others = [other + after, after, other + here + after, next + here + after.slice(1)];
      for (const changed of others.map((rest) => before + rest))
        expect(hasTokenFormat(KEY_PREFIX, changed)).toBe(changed === key);
    }),
    { numRuns: 400 },
  );
});

test('the checksum equals the CRC-32 computed by the runtime, written in six base62 digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(crc32(text)).toBe(Bun.hash.crc32(text));
      const value = [...checksum(text)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
      expect([value, checksum(text).length]).toEqual([Bun.hash.crc32(text), 6]);
    }),
  );
});
