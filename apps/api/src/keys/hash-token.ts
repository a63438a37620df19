import { createHash } from 'node:crypto';

/**
 * SHA-256 of a key, 32 bytes: what is stored and looked up in its place. A plain hash is enough for 34 random base62
 * characters (202 bits), and looking up by it tells nothing about how much of a guess was right.
 */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
