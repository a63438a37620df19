import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
const FREQUENT_COLOURS = 176;
const TRUE_COLOUR = 2;
const TRUE_COLOUR_WITH_ALPHA = 6;
const PALETTE = 3;

interface Pixels {
  width: number;
  height: number;
  /** One number for each, 0xRRGGBB. */
  colours: Uint32Array;
}

/**
 * The same picture with at most 256 colours: about a third of the size, and pages of few colours look the same. For PNG as browsers make it: eight bits, not interlaced (PNG, third edition, W3C).
 */
export function toPalette(png: Buffer): Buffer {
  const { width, height, colours } = readPixels(png);
  const palette = choosePalette(colours);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc(height * (width + 1));
  for (const [n, colour] of colours.entries()) {
    let place = places.get(colour);
    if (place === undefined) {
      ({ place } = nearest(palette, colour));
      places.set(colour, place);
    }
    rows[Math.floor(n / width) * (width + 1) + 1 + (n % width)] = place;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, PALETTE, 0, 0, 0], 8);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('PLTE', table), chunk('IDAT', data), chunk('IEND')]);
}

/** @throws Error for a PNG of another kind. */
export function readPixels(png: Buffer): Pixels {
  let head: Buffer | null = null;
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IHDR') head = content;
    if (type === 'IDAT') data.push(content);
  }
  if (head?.[8] !== 8 || head[12] !== 0) throw new Error('This is no PNG of eight bits that is not interlaced');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const size = { [TRUE_COLOUR]: 3, [TRUE_COLOUR_WITH_ALPHA]: 4 }[head[9] ?? 0];
  if (size === undefined) throw new Error('This is no PNG of true colours');
  const bytes = unfilter(inflateSync(Buffer.concat(data)), { size, stride: width * size, height });
  const colours = new Uint32Array(width * height);
  for (let n = 0; n < colours.length; n += 1) colours[n] = bytes.readUIntBE(n * size, 3);
  return { width, height, colours };
}

/** Takes back what each row was filtered with (section 9). */
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

/** Most of them are those that it has most of; the rest, those that are the least like them, so that a small green dot stays green. */
function choosePalette(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const all = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = all.slice(0, FREQUENT_COLOURS);
  const left = new Map(all.slice(FREQUENT_COLOURS).map((colour) => [colour, nearest(palette, colour).distance]));
  while (palette.length < MAX_COLOURS && left.size > 0) {
    const [farthest] = [...left].reduce((one, other) => (other[1] > one[1] ? other : one));
    palette.push(farthest);
    left.delete(farthest);
    for (const [colour, before] of left) left.set(colour, Math.min(before, distanceOf(colour, farthest)));
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): { place: number; distance: number } {
  let best = { place: 0, distance: Number.POSITIVE_INFINITY };
  for (const [place, other] of palette.entries()) {
    const distance = distanceOf(colour, other);
    if (distance < best.distance) best = { place, distance };
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
