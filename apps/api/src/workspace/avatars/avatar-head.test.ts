import { describe, expect, test } from 'bun:test';
import { jpegHead, pngOf, webpHead } from '@hub/testkit/in-process/images';
import { readAvatarHead } from './avatar-head.ts';

const SIZE = { width: 300, height: 200 };
const still = (type: string) => ({ type, size: SIZE, isAnimated: false }) as never;

describe('readAvatarHead', () => {
  test('returns type and size', () => {
    expect(readAvatarHead(pngOf(SIZE))).toEqual(still('image/png'));
    expect(readAvatarHead(jpegHead(SIZE))).toEqual(still('image/jpeg'));
    for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const) {
      expect(readAvatarHead(webpHead(kind, SIZE))).toEqual(still('image/webp'));
    }
  });

  test('detects animated images', () => {
    expect(readAvatarHead(pngOf({ ...SIZE, isAnimated: true }))?.isAnimated).toBe(true);
    expect(readAvatarHead(webpHead('VP8X', { ...SIZE, isAnimated: true }))?.isAnimated).toBe(true);
  });

  test('reads the largest possible sizes correctly', () => {
    expect(readAvatarHead(webpHead('VP8X', { width: 1 << 24, height: 1 }))?.size).toEqual({
      width: 1 << 24,
      height: 1,
    });
    expect(readAvatarHead(webpHead('VP8L', { width: 1 << 14, height: 1 << 14 }))?.size?.height).toBe(1 << 14);
    expect(readAvatarHead(jpegHead({ width: 65_535, height: 65_535 }))?.size?.width).toBe(65_535);
  });

  test('returns null for files whose bytes are not those of an image', () => {
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      'RIFF',
      'RIFF1234WAVE',
      '%PDF-1.7',
    ]) {
      expect(readAvatarHead(new TextEncoder().encode(text))).toBeNull();
    }
  });

  test('returns no size, and does not throw, for an image truncated at any byte', () => {
    for (const whole of [pngOf(SIZE), webpHead('VP8 ', SIZE), webpHead('VP8L', SIZE), webpHead('VP8X', SIZE)]) {
      for (let length = 12; length < whole.length - 4; length += 1) {
        expect([length, readAvatarHead(whole.slice(0, length))?.size]).toEqual([length, null]);
      }
    }
    const jpeg = jpegHead(SIZE);
    for (let length = 3; length < 18; length += 1) expect(readAvatarHead(jpeg.slice(0, length))?.size).toBeNull();
  });

  test('terminates, without a size, when chunk lengths point outside the file or are zero', () => {
    const png = pngOf(SIZE);
    png.set([0xff, 0xff, 0xff, 0xff], 8);
    expect(readAvatarHead(png)?.size).toBeNull();
    expect(readAvatarHead(Uint8Array.from([0xff, 0xd8, ...Array<number>(10_000).fill(0xff)]))?.size).toBeNull();
    expect(readAvatarHead(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]))?.size).toBeNull();
  });
});
