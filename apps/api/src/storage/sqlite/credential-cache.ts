import type { KeyCredential } from '../store.ts';

/**
 * The cache takes about 30 MB when full. It is then cleared, and the next requests read their keys from the database.
 */
const MAX_CREDENTIALS = 131_072;

/**
 * Caches recently used keys by the hash of their token. Never stale: after every write that may change what a key may
 * do, the store clears the cache before anyone learns of that write. So no request that begins after the response to
 * the write sees the old state, and everything read again is committed. Unknown keys are not cached, so guessed keys
 * take no memory.
 */
export class CredentialCache {
  readonly #known = new Map<string, KeyCredential>();

  /** Returns the credential from the cache, or from `read`. */
  find(tokenHash: Uint8Array, read: (tokenHash: Uint8Array) => KeyCredential | null): KeyCredential | null {
    const id = Buffer.from(tokenHash.buffer, tokenHash.byteOffset, tokenHash.byteLength).toString('latin1');
    const known = this.#known.get(id);
    if (known) return known;
    const credential = read(tokenHash);
    if (!credential) return null;
    if (this.#known.size >= MAX_CREDENTIALS) this.#known.clear();
    this.#known.set(id, credential);
    return credential;
  }

  clear(): void {
    this.#known.clear();
  }
}
