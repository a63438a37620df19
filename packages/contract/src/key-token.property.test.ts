import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  BASE62,
  checksum,
  crc32,
  formToken,
  hasTokenForm,
  KEY_PREFIX,
  PERSONAL_TOKEN_PREFIX,
  RANDOM_CHARACTERS,
} from './key-token.ts';

const randoms = fc
  .array(fc.constantFrom(...BASE62), { minLength: RANDOM_CHARACTERS, maxLength: RANDOM_CHARACTERS })
  .map((all) => all.join(''));
const keys = randoms.map((random) => formToken(KEY_PREFIX, random));

test('every key that is formed has the form, and that of no other kind', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(hasTokenForm(KEY_PREFIX, key)).toBe(true);
      expect(hasTokenForm(PERSONAL_TOKEN_PREFIX, key)).toBe(false);
      expect(key).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
    }),
  );
});

test('any one character that is changed, left out, added or swapped with the next shows', () => {
  const places = fc.nat(KEY_PREFIX.length + RANDOM_CHARACTERS + 5);
  const characters = fc.oneof(fc.constantFrom(...BASE62), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
  fc.assert(
    fc.property(keys, places, characters, (key, at, other) => {
      const [before, here, next, after] = [key.slice(0, at), key.charAt(at), key.charAt(at + 1), key.slice(at + 1)];
      for (const changed of [
        before + other + after,
        before + after,
        before + other + here + after,
        before + next + here + after.slice(1),
      ]) {
        expect(hasTokenForm(KEY_PREFIX, changed)).toBe(changed === key);
      }
    }),
    { numRuns: 400 },
  );
});

test('the checksum is the CRC-32 of the runtime, in six digits to the base 62', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(crc32(text)).toBe(Bun.hash.crc32(text));
      const value = [...checksum(text)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
      expect([value, checksum(text).length]).toEqual([Bun.hash.crc32(text), 6]);
    }),
  );
});
