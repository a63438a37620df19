import type { Clock } from '../ports.ts';
import { clientNetwork } from './client-network.ts';

const FREE_FAILURES = 10;
const FORGET_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 3_000;
const MAX_ADDRESSES = 10_000;
const MAX_WAITING = 500;

interface Failures {
  count: number;
  lastAt: number;
}

/**
 * Slows a client address that keeps failing to authenticate: after ten failures without a quiet minute, each further
 * answer waits, 100 ms at first and twice as long each time up to 3 s. Nobody is refused for it: a right key never
 * comes here. Memory is bounded: the addresses that failed longest ago are forgotten first, and when 500 answers
 * wait already, the next one is given at once, because holding sockets open would hurt us more than the guesser.
 */
export class FailedAuthentication {
  /** In the order of their last failure. */
  readonly #addresses = new Map<string, Failures>();
  /** Stands before the one that failed longest ago. One that began anew would step over the places of all that were taken out. */
  #longestAgo = this.#addresses.keys();
  readonly #clock: Clock;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a failure of this address, and resolves when its answer may be given. */
  async slow(address: string): Promise<void> {
    const delay = this.#note(clientNetwork(address));
    if (delay === 0 || this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    try {
      await this.#clock.sleep(delay);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether a failure of this address would have to wait. */
  isSlowed(address: string): boolean {
    const known = this.#addresses.get(clientNetwork(address));
    return known !== undefined && known.count >= FREE_FAILURES && this.#isRecent(known);
  }

  /** Addresses that are remembered. */
  get size(): number {
    return this.#addresses.size;
  }

  #isRecent({ lastAt }: Failures): boolean {
    return this.#clock.monotonic() - lastAt < FORGET_AFTER_MS;
  }

  #note(address: string): number {
    const now = this.#clock.monotonic();
    const known = this.#addresses.get(address);
    const count = known && this.#isRecent(known) ? known.count + 1 : 1;
    this.#addresses.delete(address);
    this.#addresses.set(address, { count, lastAt: now });
    if (this.#addresses.size > MAX_ADDRESSES) {
      const longestAgo = this.#longestAgo.next();
      if (longestAgo.done) this.#longestAgo = this.#addresses.keys();
      else this.#addresses.delete(longestAgo.value);
    }
    if (count <= FREE_FAILURES) return 0;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES - 1));
  }
}
