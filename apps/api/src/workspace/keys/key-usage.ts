import type { Deps } from '../../access/deps.ts';
import type { Clock } from '../../platform/ports.ts';
import { type Admission, SlidingWindow } from '../../platform/sliding-window.ts';
import { KEYS_PER_SAVE, type KeyAddressRecord, type KeyUsageTally, MAX_ADDRESSES } from '../../storage/key-usage.ts';
import type { KeyRecord, NewBlock } from '../../storage/keys.ts';
import type { CountedRequest, RequestLimiter, Store } from '../../storage/store.ts';

/** The dependencies of limiting, showing and changing keys. */
export interface KeyDeps extends Deps {
  limiter: RequestLimiter;
  usage: KeyUsage;
}

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

/** How many windows each request checks for eviction: two, since it adds at most one, so eviction always keeps up. */
const CHECKS_PER_REQUEST = 2;

/**
 * Holds the sliding windows of all recently used keys. A wrong key never gets here. Each request checks the next two
 * windows in a round through all of them, in constant time: in order of last use, iterating would skip the slots of all
 * deleted entries of the `Map`.
 */
export class KeyLimiter implements RequestLimiter {
  readonly #windows = new Map<string, SlidingWindow>();
  /** The position in the round. New windows are added at the end of the round. */
  #round = this.#windows.entries();
  /** Keys with a block that is or may be on disk, until the end of the block has also been saved. */
  readonly #blocked = new Set<string>();
  readonly unsavedBlocks = new Map<string, NewBlock>();

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#windows.size;
  }

  async countRequest(
    tokenHash: Uint8Array,
    { findByTokenHash, isValid }: Parameters<RequestLimiter['countRequest']>[1],
  ): Promise<CountedRequest | null> {
    const key = await findByTokenHash(tokenHash);
    return key && { key, admission: isValid(key) ? this.admit(key.id) : null };
  }

  admit(keyId: string): Admission {
    const now = this.clock.monotonic();
    let window = this.#windows.get(keyId);
    if (!window) {
      window = new SlidingWindow();
      this.#windows.set(keyId, window);
    }
    const admission = window.admit(now);
    if (!admission.admitted) this.#blocked.add(keyId);
    this.#evict(now);
    return admission;
  }

  /** Restores a block from a previous process. If 0 ms or less is left, it has ended, and its end must be saved. */
  restoreBlock(keyId: string, remainingMs: number): void {
    const window = new SlidingWindow();
    window.block(this.clock.monotonic(), remainingMs);
    this.#windows.set(keyId, window);
    this.#blocked.add(keyId);
  }

  /** Milliseconds until the block of this key ends; 0 if it is not blocked. */
  blockRemainingMs(keyId: string): number {
    return this.#windows.get(keyId)?.blockRemainingMs(this.clock.monotonic()) ?? 0;
  }

  blockedUntil({ id }: Pick<KeyRecord, 'id'>, now: number): number | null {
    const remainingMs = this.blockRemainingMs(id);
    return remainingMs > 0 ? now + Math.ceil(remainingMs) : null;
  }

  /** Active blocks, and those that have ended (0 ms left) but have not been passed to `forgetEndedBlock` yet. */
  blocks(): { keyId: string; remainingMs: number }[] {
    return Array.from(this.#blocked, (keyId) => ({ keyId, remainingMs: this.blockRemainingMs(keyId) }));
  }

  /** Forgets the block of a key, unless a new one has begun since. */
  forgetEndedBlock(keyId: string): void {
    if (this.blockRemainingMs(keyId) === 0) this.#blocked.delete(keyId);
  }

  #evict(now: number): void {
    for (let check = 0; check < CHECKS_PER_REQUEST; check += 1) {
      const next = this.#round.next();
      if (next.done) {
        this.#round = this.#windows.entries();
        return;
      }
      const [keyId, window] = next.value;
      if (window.isIdle(now)) this.#windows.delete(keyId);
    }
  }
}
