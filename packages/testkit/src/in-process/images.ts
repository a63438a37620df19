import { crc32, deflateSync } from 'node:zlib';

/** Returns a valid PNG in a single color: red, green and blue, each from 0 to 255. */
export function pngOf({ width = 1, height = 1, colour = [40, 87, 196] }) {
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
