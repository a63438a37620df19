import type { AvatarType } from '@hub/contract';

/** Facts about an image, read from its header. */
interface AvatarHead {
  type: AvatarType;
  /** In pixels; `null` if the image is damaged or truncated. */
  size: { width: number; height: number } | null;
  /** Whether the image is animated. */
  isAnimated: boolean;
}

/**
 * Detects the image type from the bytes alone. Returns null unless it is a PNG (W3C PNG, section 5), JPEG (ITU T.81,
 * annex B) or WebP (RFC 9649). Nothing is decoded.
 */
export function readAvatarHead(bytes: Uint8Array): AvatarHead | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return readPng(view);
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
    return { type: 'image/jpeg', size: within(() => jpegSize(view)), isAnimated: false };
  }
  if (bytes.length >= 12 && word(view, 0) === 'RIFF' && word(view, 8) === 'WEBP') return readWebp(view);
  return null;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, n) => bytes[n] === byte);
}

/** Returns the four-letter code at this offset. */
function word(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}

/** Returns null if `read` goes beyond the end of the bytes. */
function within<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads all chunks up to IEND, which a truncated PNG lacks. */
function readPng(view: DataView): AvatarHead {
  let isAnimated = false;
  const size = within(() => {
    if (word(view, 12) !== 'IHDR') return null;
    for (let at = 8; ; at += 12 + view.getUint32(at)) {
      const chunk = word(view, at + 4);
      if (chunk === 'acTL') isAnimated = true;
      if (chunk === 'IEND') return { width: view.getUint32(16), height: view.getUint32(20) };
    }
  });
  return { type: 'image/png', size, isAnimated };
}

/** Skips segments by their length up to the first start-of-frame segment, which contains the size. */
function jpegSize(view: DataView): AvatarHead['size'] {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // No more segments follow this marker.
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + view.getUint16(at + 2);
  }
}

function readWebp(view: DataView): AvatarHead {
  const kind = within(() => word(view, 12));
  const isWhole = view.getUint32(4, true) + 8 <= view.byteLength;
  const size = isWhole ? within(() => webpSize(view, kind)) : null;
  const isAnimated = kind === 'VP8X' && within(() => (view.getUint8(20) & 0x02) !== 0) === true;
  return { type: 'image/webp', size, isAnimated };
}

function webpSize(view: DataView, kind: string | null): AvatarHead['size'] {
  if (kind === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== 'VP8X') return null;
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}
