import type { Clock } from '../ports.ts';
import type { KeyUsageTally, Store } from '../store/store.ts';

/** Counts the requests of each key between two writings-down, so that a kill loses at most a few seconds of them. */
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

  /** Takes back what could not be written down. */
  #putBack(keyId: string, tally: KeyUsageTally): void {
    const newer = this.#pending.get(keyId);
    this.#pending.set(keyId, {
      ...(newer ?? tally),
      requestCount: tally.requestCount + (newer?.requestCount ?? 0),
    });
  }

  /** Writes everything down. */
  async flush(store: Store): Promise<void> {
    const tallies = this.#pending;
    this.#pending = new Map();
    try {
      await store.keys.addUsage(tallies);
    } catch (error) {
      for (const [keyId, tally] of tallies) this.#putBack(keyId, tally);
      throw error;
    }
  }
}
