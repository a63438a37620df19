import type { Deps } from '../../access/deps.ts';
import type { Clock } from '../../platform/ports.ts';
import { KEYS_PER_SAVE, type KeyAddressRecord, type KeyUsageTally } from '../../storage/key-usage.ts';
import type { RequestLimiter } from '../../storage/request-limiter.ts';
import type { Store } from '../../storage/store.ts';

/** The dependencies of limiting, showing and changing keys. */
export interface KeyDeps extends Deps {
  limiter: RequestLimiter;
  usage: KeyUsage;
}

/** The most recent addresses kept per key between two flushes. */
const MAX_ADDRESSES = 20;

/** Returns the addresses after one more use: latest first, at most `MAX_ADDRESSES`. */
export function addAddress(addresses: readonly KeyAddressRecord[], use: KeyAddressRecord): readonly KeyAddressRecord[] {
  const [first] = addresses;
  // The common case: one machine sends several requests in a row.
  if (first?.address === use.address)
    return [{ ...use, requests: first.requests + use.requests }, ...addresses.slice(1)];
  const before = addresses.find(({ address }) => address === use.address);
  const others = addresses.filter(({ address }) => address !== use.address).slice(0, MAX_ADDRESSES - 1);
  return [{ ...use, requests: use.requests + (before?.requests ?? 0) }, ...others];
}

/** Counts the requests made with each key until the next flush. A kill loses at most a few seconds of these counts. */
export class KeyUsage {
  #pending = new Map<string, KeyUsageTally>();

  constructor(private readonly clock: Clock) {}

  record(keyId: string, address: string): void {
    const lastUsedAt = this.clock.now();
    const use = { address, lastUsedAt, requests: 1 };
    const tally = this.#pending.get(keyId);
    if (!tally) {
      this.#pending.set(keyId, { requestCount: 1, lastUsedAt, lastUsedAddress: address, addresses: [use] });
      return;
    }
    tally.requestCount += 1;
    tally.lastUsedAt = lastUsedAt;
    tally.lastUsedAddress = address;
    tally.addresses = addAddress(tally.addresses, use);
  }

  /** Returns the usage of a key since the last flush. Views add it to the saved usage. */
  pending(keyId: string): KeyUsageTally | undefined {
    return this.#pending.get(keyId);
  }

  #putBack(keyId: string, tally: KeyUsageTally): void {
    const newer = this.#pending.get(keyId);
    this.#pending.set(keyId, {
      ...(newer ?? tally),
      requestCount: tally.requestCount + (newer?.requestCount ?? 0),
      addresses: (newer?.addresses ?? []).toReversed().reduce(addAddress, tally.addresses),
    });
  }

  /** Saves all tallies, a few keys per transaction. If that fails, they are kept for the next flush. */
  async flush(store: Store): Promise<void> {
    // In the order of the table, a transaction changes a few pages many times instead of many pages once.
    const keyIds = [...this.#pending.keys()].sort();
    do {
      const tallies = this.#take(keyIds.splice(0, KEYS_PER_SAVE));
      try {
        await store.transaction(({ keys }) => keys.addUsage(tallies));
      } catch (error) {
        for (const [keyId, tally] of tallies) this.#putBack(keyId, tally);
        throw error;
      }
    } while (keyIds.length > 0);
  }

  #take(keyIds: readonly string[]): Map<string, KeyUsageTally> {
    const tallies = new Map<string, KeyUsageTally>();
    for (const keyId of keyIds) {
      const tally = this.#pending.get(keyId);
      if (!tally) continue;
      tallies.set(keyId, tally);
      this.#pending.delete(keyId);
    }
    return tallies;
  }
}
