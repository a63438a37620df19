import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;
const FREQUENT_COLORS = 176;
const TRUE_COLOR = 2;
const TRUE_COLOR_WITH_ALPHA = 6;
const PALETTE = 3;

interface Pixels {
  width: number;
  height: number;
  /** One number per pixel, 0xRRGGBB. */
  colors: Uint32Array;
}

/**
 * Returns the image with at most 256 colors. It is about a third of the size, and pages with few colors look the same.
 * Supports PNG files as browsers write them: 8-bit, not interlaced (PNG, third edition, W3C).
 */
export function toPalette(png: Buffer): Buffer {
  const { width, height, colors } = readPixels(png);
  const palette = choosePalette(colors);
  const indexes = new Map(palette.map((color, index) => [color, index]));
  // Each row begins with the number of its filter; 0 means none.
  const rows = Buffer.alloc(height * (width + 1));
  for (const [n, color] of colors.entries()) {
    let index = indexes.get(color);
    if (index === undefined) {
      ({ index } = nearest(palette, color));
      indexes.set(color, index);
    }
    rows[Math.floor(n / width) * (width + 1) + 1 + (n % width)] = index;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, PALETTE, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('PLTE', table), chunk('IDAT', data), chunk('IEND')]);
}

/** Decodes the pixels of a PNG. @throws Error for an unsupported kind of PNG. */
export function readPixels(png: Buffer): Pixels {
  let head: Buffer | null = null;
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IHDR') head = content;
    if (type === 'IDAT') data.push(content);
  }
  if (head?.[8] !== 8 || head[12] !== 0) throw new Error('Not a non-interlaced PNG with eight bits per channel');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const size = { [TRUE_COLOR]: 3, [TRUE_COLOR_WITH_ALPHA]: 4 }[head[9] ?? 0];
  if (size === undefined) throw new Error('Not a true-color PNG');
  const bytes = unfilter(inflateSync(Buffer.concat(data)), { size, stride: width * size, height });
  const colors = new Uint32Array(width * height);
  for (let n = 0; n < colors.length; n += 1) colors[n] = bytes.readUIntBE(n * size, 3);
  return { width, height, colors };
}

/** Undoes the filter of each row (section 9). */
function unfilter(rows: Buffer, { size, stride, height }: { size: number; stride: number; height: number }): Buffer {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= size ? (bytes[y * stride + x - size] ?? 0) : 0;
      const above = y > 0 ? (bytes[(y - 1) * stride + x] ?? 0) : 0;
      const corner = y > 0 && x >= size ? (bytes[(y - 1) * stride + x - size] ?? 0) : 0;
      const raw = rows[y * (stride + 1) + 1 + x] ?? 0;
      bytes[y * stride + x] = raw + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((each) => Math.abs(guess - each)) as [
    number,
    number,
    number,
  ];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

/** Chooses the most frequent colors first, then those least like them, so that a small green dot stays green. */
function choosePalette(colors: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const all = [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
  const palette = all.slice(0, FREQUENT_COLORS);
  const left = new Map(all.slice(FREQUENT_COLORS).map((color) => [color, nearest(palette, color).distance]));
  while (palette.length < MAX_COLORS && left.size > 0) {
    const [farthest] = [...left].reduce((one, other) => (other[1] > one[1] ? other : one));
    palette.push(farthest);
    left.delete(farthest);
    for (const [color, before] of left) left.set(color, Math.min(before, distanceOf(color, farthest)));
  }
  return palette;
}

function nearest(palette: readonly number[], color: number): { index: number; distance: number } {
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  for (const [index, other] of palette.entries()) {
    const distance = distanceOf(color, other);
    if (distance < best.distance) best = { index, distance };
  }
  return best;
}

function distanceOf(one: number, other: number): number {
  const difference = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return difference(16) ** 2 + difference(8) ** 2 + difference(0) ** 2;
}

function chunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(Bun.hash.crc32(named), whole.length - 4);
  return whole;
}
