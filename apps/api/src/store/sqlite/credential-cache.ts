import type { KeyCredential } from '../store.ts';

/** Some 30 MB when full. Then it is emptied: the next requests read their keys from the database again. */
const MAX_CREDENTIALS = 131_072;

/**
 * The keys that authenticated lately, by the hash of their token. Exact: after every write that may change what a key may do the
 * store empties it before anyone hears of that write, so no request that begins after the answer finds the old state, and what is
 * read again is what was committed. A key that was not found is not kept, so guesses take no memory.
 */
export class CredentialCache {
  readonly #known = new Map<string, KeyCredential>();

  /** From here, or from `read`. */
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
