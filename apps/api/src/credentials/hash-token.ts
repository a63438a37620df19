/**
 * Returns the SHA-256 of a token, 32 bytes. The store keeps and looks up this hash, never the token. A plain hash is
 * enough for 34 random base62 characters (202 bits), and a look-up by hash does not reveal how much of a guess was
 * right.
 */
export function hashToken(token: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(token).digest();
}
