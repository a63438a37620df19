import { describe, expect, test } from 'bun:test';
import { BASE62, crc32, hasTokenForm, KEY_PREFIX } from '@hub/contract';
import { generateToken } from './generate-token.ts';

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };

describe('the form of a key', () => {
  test('is hub_live_, 34 random base62 characters and 6 of the checksum', () => {
    const token = generateToken(KEY_PREFIX, random);
    expect(token).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
    expect(hasTokenForm(KEY_PREFIX, token)).toBe(true);
  });

  test('ends in the CRC-32 of all before it, by an implementation of others', () => {
    const token = generateToken(KEY_PREFIX, random);
    const value = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(Bun.hash.crc32(token.slice(0, -6)));
    // The check value that every description of CRC-32 gives.
    expect(crc32('123456789')).toBe(0xcbf43926);
  });

  test('any one character that is changed is noticed', () => {
    const token = generateToken(KEY_PREFIX, random);
    for (let place = 0; place < token.length; place += 1) {
      const other = token[place] === 'x' ? 'y' : 'x';
      expect(hasTokenForm(KEY_PREFIX, token.slice(0, place) + other + token.slice(place + 1))).toBe(false);
    }
  });

  test('two that are next to each other swapped, one missing and one too many are noticed', () => {
    const token = generateToken(KEY_PREFIX, random);
    const place = [...token].findIndex((character, index) => index > 9 && character !== token[index + 1]);
    const swapped = token.slice(0, place) + token[place + 1] + token[place] + token.slice(place + 2);
    for (const wrong of [swapped, token.slice(0, -1), `${token}0`, token.slice(1), ` ${token}`, `${token}\n`, '']) {
      expect(hasTokenForm(KEY_PREFIX, wrong)).toBe(false);
    }
  });

  test('each random character is equally likely: bytes that would favour some are thrown away', () => {
    const firstFrom = (byte: number): string => {
      const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index === 0 ? byte : 61));
      return generateToken(KEY_PREFIX, { bytes }).charAt(KEY_PREFIX.length);
    };
    const fair = Array.from({ length: 248 }, (_, byte) => firstFrom(byte)).join('');
    expect(fair).toBe(BASE62.repeat(4));
    // 256 is no multiple of 62: the rest is skipped, and the byte after it (61) is used.
    for (let byte = 248; byte < 256; byte += 1) expect(firstFrom(byte)).toBe('z');
  });

  test('all of them are different', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => generateToken(KEY_PREFIX, random))).size).toBe(10_000);
  });
});
