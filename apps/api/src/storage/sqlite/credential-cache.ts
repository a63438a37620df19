import type { KeyCredential } from '../keys.ts';
import type { TransactionState } from './engine/transaction.ts';

/** About 30 MB. A full cache is cleared, and the next requests read their keys from the database. */
const MAX_CREDENTIALS = 131_072;

/**
 * Caches recently used keys by the hash of their token. Never stale: every write that may change what a key may do
 * clears it with the commit. Unknown keys are not cached, so guessed ones take no memory.
 */
export class CredentialCache implements TransactionState {
  readonly #known = new Map<string, KeyCredential>();
  readonly #changed = new Set<string>();
  #isStale = false;

  /** Returns the credential from the cache, or from `read`. */
  find(tokenHash: Uint8Array, read: (tokenHash: Uint8Array) => KeyCredential | null): KeyCredential | null {
    const id = (Buffer.isBuffer(tokenHash) ? tokenHash : Buffer.from(tokenHash)).toString('latin1');
    const known = this.#known.get(id);
    if (known) return known;
    const credential = read(tokenHash);
    if (!credential) return null;
    if (this.#known.size >= MAX_CREDENTIALS) this.#known.clear();
    this.#known.set(id, credential);
    return credential;
  }

  /** Must be called by every write that may change what keys may do; `keyId`: what one key may do. */
  invalidate(keyId?: string): void {
    this.#isStale = true;
    if (keyId !== undefined) this.#changed.add(keyId);
  }

  /** Whether the validity of this key may have changed since the start. For all others, a post needs no look-up. */
  mayHaveChanged(keyId: string): boolean {
    return this.#changed.has(keyId);
  }

  committed(): void {
    if (this.#isStale) this.#known.clear();
    this.#isStale = false;
  }

  /** Clears too often rather than too rarely: after a failed commit, the disk may hold either state. */
  rolledBack(): void {
    this.committed();
  }
}
