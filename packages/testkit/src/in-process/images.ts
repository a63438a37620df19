import { crc32, deflateSync } from 'node:zlib';

interface PngOptions {
  width: number;
  height: number;
  /** Red, green and blue, each from 0 to 255. */
  colour?: readonly [number, number, number];
  /** Marks the image as animated. */
  isAnimated?: boolean;
}

/** Returns a valid PNG in a single color. */
export function pngOf({ width, height, colour = [40, 87, 196], isAnimated = false }: PngOptions) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits for each of three colors.
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.concat(Array.from({ length: width }, () => Buffer.from(colour)))]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Uint8Array.from(
    Buffer.concat([
      Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', head),
      ...(isAnimated ? [chunk('acTL', Buffer.alloc(8))] : []),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns only the header of a JPEG: enough to detect it, but not to display it. */
export function jpegHead({ width, height }: { width: number; height: number }) {
  const frame = Buffer.of(0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const comment = Buffer.of(0xff, 0xfe, 0, 4, 0x68, 0x69);
  return Uint8Array.from(
    Buffer.concat([Buffer.of(0xff, 0xd8), comment, Buffer.of(0xff), frame, Buffer.of(0xff, 0xd9)]),
  );
}

/** Returns only the header of a WebP: lossy, lossless or extended. Only an extended one can be animated. */
export function webpHead(
  kind: 'VP8 ' | 'VP8L' | 'VP8X',
  { width, height, isAnimated = false }: { width: number; height: number; isAnimated?: boolean },
) {
  const body = Buffer.alloc(14);
  if (kind === 'VP8 ') {
    body.set([0, 0, 0, 0x9d, 0x01, 0x2a]);
    body.writeUInt16LE(width, 6);
    body.writeUInt16LE(height, 8);
  } else if (kind === 'VP8L') {
    body[0] = 0x2f;
    body.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  } else {
    body[0] = isAnimated ? 0x02 : 0;
    body.writeUIntLE(width - 1, 4, 3);
    body.writeUIntLE(height - 1, 7, 3);
  }
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + body.length, 4);
  head.write(`WEBP${kind}`, 8, 'latin1');
  head.writeUInt32LE(body.length, 16);
  return Uint8Array.from(Buffer.concat([head, body]));
}
