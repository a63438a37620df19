import { createHash } from 'node:crypto';

/** The beginning of the SHA-256 of the bytes: another one for each other picture. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
