import { createHash } from 'node:crypto';

/** Returns the first 16 hex digits of the SHA-256 of the bytes, which identify the image. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
