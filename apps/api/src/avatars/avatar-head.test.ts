import { describe, expect, test } from 'bun:test';
import { jpegHead, pngOf, webpHead } from '../testing/avatars.ts';
import { readAvatarHead } from './avatar-head.ts';

const SIZE = { width: 300, height: 200 };
const still = (type: string) => ({ type, size: SIZE, isAnimated: false }) as never;

describe('the head of a picture', () => {
  test('tells its type and its size', () => {
    expect(readAvatarHead(pngOf(SIZE))).toEqual(still('image/png'));
    expect(readAvatarHead(jpegHead(SIZE))).toEqual(still('image/jpeg'));
    for (const kind of ['VP8 ', 'VP8L', 'VP8X'] as const) {
      expect(readAvatarHead(webpHead(kind, SIZE))).toEqual(still('image/webp'));
    }
  });

  test('tells whether it moves', () => {
    expect(readAvatarHead(pngOf({ ...SIZE, isAnimated: true }))?.isAnimated).toBe(true);
    expect(readAvatarHead(webpHead('VP8X', { ...SIZE, isAnimated: true }))?.isAnimated).toBe(true);
  });

  test('of the largest sizes is read whole', () => {
    expect(readAvatarHead(webpHead('VP8X', { width: 1 << 24, height: 1 }))?.size).toEqual({
      width: 1 << 24,
      height: 1,
    });
    expect(readAvatarHead(webpHead('VP8L', { width: 1 << 14, height: 1 << 14 }))?.size?.height).toBe(1 << 14);
    expect(readAvatarHead(jpegHead({ width: 65_535, height: 65_535 }))?.size?.width).toBe(65_535);
  });

  test('is known by the bytes alone: other files are none', () => {
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

  test('of one that breaks off anywhere has no size, and nothing is thrown', () => {
    for (const whole of [pngOf(SIZE), webpHead('VP8 ', SIZE), webpHead('VP8L', SIZE), webpHead('VP8X', SIZE)]) {
      for (let length = 12; length < whole.length - 4; length += 1) {
        expect([length, readAvatarHead(whole.slice(0, length))?.size]).toEqual([length, null]);
      }
    }
    const jpeg = jpegHead(SIZE);
    for (let length = 3; length < 18; length += 1) expect(readAvatarHead(jpeg.slice(0, length))?.size).toBeNull();
  });

  test('with lengths that lead nowhere is read to an end', () => {
    const png = pngOf(SIZE);
    png.set([0xff, 0xff, 0xff, 0xff], 8);
    expect(readAvatarHead(png)?.size).toBeNull();
    expect(readAvatarHead(Uint8Array.from([0xff, 0xd8, ...Array<number>(10_000).fill(0xff)]))?.size).toBeNull();
    expect(readAvatarHead(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]))?.size).toBeNull();
  });
});
