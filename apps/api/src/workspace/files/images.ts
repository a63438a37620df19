import { inflateSync } from 'node:zlib';
import { INLINE_TYPES, LIMITS } from '@hub/contract';

type InlineType = (typeof INLINE_TYPES)[number];

/** Returns whether files of this type are shown in the browser instead of being downloaded. */
export const isInline = (type: string): boolean => (INLINE_TYPES as readonly string[]).includes(type);

/** The first bytes of each type (mimesniff.spec.whatwg.org, section 6.1), and where they begin. */
const SIGNATURES: Readonly<Record<InlineType, readonly (readonly [number, string])[]>> = {
  'image/png': [[0, '\x89PNG\r\n\x1a\n']],
  'image/jpeg': [[0, '\xff\xd8\xff']],
  'image/gif': [[0, 'GIF8']],
  'image/webp': [
    [0, 'RIFF'],
    [8, 'WEBP'],
  ],
  'image/avif': [[4, 'ftypavif']],
};

/** Returns the type of an image by its first bytes. */
export function imageType(head: Buffer): InlineType | null {
  const text = head.toString('latin1', 0, 16);
  const type = INLINE_TYPES.find((each) => SIGNATURES[each].every(([start, bytes]) => text.startsWith(bytes, start)));
  return type ?? null;
}

/** Returns the size of an image that can have a preview, as it is shown. Only its header is read. */
export async function imageSize(head: Uint8Array): Promise<{ width: number; height: number } | null> {
  try {
    const { width, height } = await new Bun.Image(head).metadata();
    return width > 0 && height > 0 && width * height <= LIMITS.imagePixels ? { width, height } : null;
  } catch {
    return null;
  }
}

/** Returns an image as upright WebP without metadata, at most `side` pixels wide and high. Rejects if it is none. */
export function scaledImage(bytes: Uint8Array, side: number, quality: number): Promise<Uint8Array> {
  const image = new Bun.Image(bytes, { maxPixels: LIMITS.imagePixels });
  return image.resize(side, side, { fit: 'inside', withoutEnlargement: true }).webp({ quality }).bytes();
}

/** Returns the average color of an image, as `#rrggbb`. */
export async function averageColor(bytes: Uint8Array): Promise<string> {
  const png = Buffer.from(await new Bun.Image(bytes).resize(1, 1).png().bytes());
  // `Bun.Image` gives no pixels. Its PNG of one pixel has the header, and then the data, behind their length and name:
  // the filter of the row, which changes nothing here, and the pixel (W3C PNG, sections 5.3 and 11.2).
  const [start, length] = [41, png.readUInt32BE(33)];
  return `#${inflateSync(png.subarray(start, start + length))
    .subarray(1, 4)
    .toString('hex')}`;
}
