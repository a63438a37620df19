import { expect, test } from 'bun:test';
import { BASE62, hasTokenFormat, KEY_PREFIX } from '@hub/contract';
import { generateToken } from './credentials.ts';

const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };

test('the format of a key is hub_live_, 34 random base62 characters and a checksum of 6 characters', () => {
  const token = generateToken(KEY_PREFIX, random);
  expect(token).toMatch(/^hub_live_[0-9A-Za-z]{40}$/);
  expect(hasTokenFormat(KEY_PREFIX, token)).toBe(true);
});

test('the format of a key has equally likely random characters: bytes that would bias them are discarded', () => {
  const firstFrom = (byte: number): string => {
    const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index === 0 ? byte : 61));
    return generateToken(KEY_PREFIX, { bytes }).charAt(KEY_PREFIX.length);
  };
  const fair = Array.from({ length: 248 }, (_, byte) => firstFrom(byte)).join('');
  expect(fair).toBe(BASE62.repeat(4));
  // 256 is not a multiple of 62: bytes from 248 on are skipped, and the byte that follows (61) is used.
  for (let byte = 248; byte < 256; byte += 1) expect(firstFrom(byte)).toBe('z');
});
