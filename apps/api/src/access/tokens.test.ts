import { describe, expect, test } from 'bun:test';
import { BASE62, crc32, hasTokenFormat, KEY_PREFIX } from '@hub/contract';
import { generateToken } from './tokens.ts';

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };

describe('the format of a key', () => {
  test('is hub_live_, 34 random base62 characters and a checksum of 6 characters', () => {
    const token = generateToken(KEY_PREFIX, random);
    expect(token).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
    expect(hasTokenFormat(KEY_PREFIX, token)).toBe(true);
  });

  test('ends in the CRC-32 of everything before it, checked with another implementation', () => {
    const token = generateToken(KEY_PREFIX, random);
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(Bun.hash.crc32(token.slice(0, -6)));
    // The standard check value of CRC-32.
    expect(crc32('123456789')).toBe(0xcbf43926);
  });

  test('detects any single changed character', () => {
    const token = generateToken(KEY_PREFIX, random);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'x' ? 'y' : 'x';
      expect(hasTokenFormat(KEY_PREFIX, token.slice(0, index) + other + token.slice(index + 1))).toBe(false);
    }
  });

  test('detects swapped adjacent characters, a missing character and an extra character', () => {
    const token = generateToken(KEY_PREFIX, random);
    const index = [...token].findIndex((character, at) => at > 9 && character !== token[at + 1]);
    const swapped = token.slice(0, index) + token[index + 1] + token[index] + token.slice(index + 2);
    for (const wrong of [swapped, token.slice(0, -1), `${token}0`, token.slice(1), ` ${token}`, `${token}\n`, '']) {
      expect(hasTokenFormat(KEY_PREFIX, wrong)).toBe(false);
    }
  });

  test('has equally likely random characters: bytes that would bias them are discarded', () => {
    const firstFrom = (byte: number): string => {
      const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index === 0 ? byte : 61));
      return generateToken(KEY_PREFIX, { bytes }).charAt(KEY_PREFIX.length);
    };
    const fair = Array.from({ length: 248 }, (_, byte) => firstFrom(byte)).join('');
    expect(fair).toBe(BASE62.repeat(4));
    // 256 is not a multiple of 62: bytes from 248 on are skipped, and the byte that follows (61) is used.
    for (let byte = 248; byte < 256; byte += 1) expect(firstFrom(byte)).toBe('z');
  });
});
