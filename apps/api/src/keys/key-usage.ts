import type { Clock } from '../ports.ts';
import type { KeyUsageTally, Store } from '../store/store.ts';

/**
 * Counts the requests of each key between two writings-down. A post takes its key's tally along in its own transaction;
 * what did not post (refusals) is written down every few seconds, so that a kill loses at most that.
 */
export class KeyUsage {
  #pending = new Map<string, KeyUsageTally>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(keyId: string, address: string): void {
    const tally = this.#pending.get(keyId);
    this.#pending.set(keyId, {
      requestCount: (tally?.requestCount ?? 0) + 1,
      lastUsedAt: this.#clock.now(),
      lastUsedAddress: address,
    });
  }

  /** What a list has to add to what is written down. */
  pending(keyId: string): KeyUsageTally | undefined {
    return this.#pending.get(keyId);
  }

  /** Hands over a key's tally to whoever writes it down. */
  take(keyId: string): KeyUsageTally | undefined {
    const tally = this.#pending.get(keyId);
    this.#pending.delete(keyId);
    return tally;
  }

  /** Takes back what could not be written down. */
  putBack(keyId: string, tally: KeyUsageTally): void {
    const newer = this.#pending.get(keyId);
    this.#pending.set(keyId, {
      ...(newer ?? tally),
      requestCount: tally.requestCount + (newer?.requestCount ?? 0),
    });
  }

  /** Writes everything down. */
  async flush(store: Store): Promise<void> {
    if (this.#pending.size === 0) return;
    const tallies = this.#pending;
    this.#pending = new Map();
    try {
      await store.keys.addUsage(tallies);
    } catch (error) {
      for (const [keyId, tally] of tallies) this.putBack(keyId, tally);
      throw error;
    }
  }
}
