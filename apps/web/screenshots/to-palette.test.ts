import { expect, test } from 'bun:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { readPixels, toPalette } from './to-palette.ts';

/** A true-color PNG whose second row is filtered by the row above. */
function screenshot(): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), content, Buffer.alloc(4)]);
  };
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const rows = Buffer.from([0, 0xff, 0, 0, 0, 0xff, 0, 2, 0, 0, 0, 0, 1, 0]);
  return Buffer.concat([Buffer.alloc(8), chunk('IHDR', head), chunk('IDAT', deflateSync(rows))]);
}

test('reads pixels with every row filter', () => {
  expect([...readPixels(screenshot()).colors]).toEqual([0xff0000, 0x00ff00, 0xff0000, 0x000000]);
});

test('keeps all colors of an image that has only a few', () => {
  const png = toPalette(screenshot());
  const palette = png.subarray(png.indexOf('PLTE') + 4);
  const data = png.subarray(png.indexOf('IDAT') + 4);
  const indexes = inflateSync(data);
  const colorAt = (at: number) => palette.readUIntBE((indexes[at] ?? 0) * 3, 3);
  expect([1, 2, 4, 5].map(colorAt)).toEqual([0xff0000, 0x00ff00, 0xff0000, 0x000000]);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
});

test('rejects any other kind of image', () => {
  expect(() => toPalette(Buffer.from('not an image, but long enough'))).toThrow();
});
