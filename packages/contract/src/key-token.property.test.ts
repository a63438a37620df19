import { expect, test } from 'bun:test';
import fc from 'fast-check';
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
      for (const changed of [
        before + other + after,
        before + after,
        before + other + here + after,
        before + next + here + after.slice(1),
      ]) {
        expect(hasTokenFormat(KEY_PREFIX, changed)).toBe(changed === key);
      }
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
