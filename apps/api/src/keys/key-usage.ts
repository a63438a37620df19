import type { Clock } from '../ports.ts';
import type { KeyAddressRecord, KeyUsageTally } from '../store/key-use.ts';
import type { Store } from '../store/store.ts';

/** More than so many of one key, within some seconds, are not told apart. */
const MAX_ADDRESSES = 20;

/** The same addresses with one more use: the latest first, and only so many. */
export function addAddress(known: readonly KeyAddressRecord[], use: KeyAddressRecord): readonly KeyAddressRecord[] {
  const [first] = known;
  // Mostly one machine sends one request after the other.
  if (first?.address === use.address) return [{ ...use, requests: first.requests + use.requests }, ...known.slice(1)];
  const before = known.find(({ address }) => address === use.address);
  const others = known.filter(({ address }) => address !== use.address).slice(0, MAX_ADDRESSES - 1);
  return [{ ...use, requests: use.requests + (before?.requests ?? 0) }, ...others];
}

/** Counts the requests of each key between two writings-down, so that a kill loses at most a few seconds of them. */
export class KeyUsage {
  #pending = new Map<string, KeyUsageTally>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(keyId: string, address: string): void {
    const tally = this.#pending.get(keyId);
    const lastUsedAt = this.#clock.now();
    this.#pending.set(keyId, {
      requestCount: (tally?.requestCount ?? 0) + 1,
      lastUsedAt,
      lastUsedAddress: address,
      addresses: addAddress(tally?.addresses ?? [], { address, lastUsedAt, requests: 1 }),
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
      addresses: (newer?.addresses ?? []).toReversed().reduce(addAddress, tally.addresses),
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
