import type { Clock } from '../ports.ts';

const FREE_FAILURES = 10;
const FORGET_AFTER_MS = 60_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 3_000;
const MAX_SUBJECTS = 10_000;
const MAX_WAITING = 500;

interface Failures {
  count: number;
  lastAt: number;
}

/**
 * Slows a subject, a client address or an account, that keeps failing to authenticate: after ten failures without a quiet
 * minute, each further answer waits, 100 ms at first and twice as long each time up to 3 s. Nobody is refused for it: a right key never
 * comes here. Memory is bounded: the subjects that failed longest ago are forgotten first, and when 500 answers
 * wait already, the next one is given at once, because holding sockets open would hurt us more than the guesser.
 */
export class FailedAuthentication {
  /** In the order of their last failure. */
  readonly #subjects = new Map<string, Failures>();
  /** Stands before the one that failed longest ago. One that began anew would step over the places of all that were taken out. */
  #longestAgo = this.#subjects.keys();
  readonly #clock: Clock;
  readonly #networkOf: (subject: string) => string;
  #waiting = 0;

  /** `networkOf` says which subjects count as one; without it each is its own. */
  constructor(clock: Clock, networkOf: (subject: string) => string = (subject) => subject) {
    this.#clock = clock;
    this.#networkOf = networkOf;
  }

  /** Notes a failure of this subject, and resolves when its answer may be given. */
  async slow(subject: string): Promise<void> {
    const delay = this.#note(this.#networkOf(subject));
    if (delay === 0 || this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    try {
      await this.#clock.sleep(delay);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether a failure of this subject would have to wait. */
  isSlowed(subject: string): boolean {
    const known = this.#subjects.get(this.#networkOf(subject));
    return known !== undefined && known.count >= FREE_FAILURES && this.#isRecent(known);
  }

  /** Subjects that are remembered. */
  get size(): number {
    return this.#subjects.size;
  }

  #isRecent({ lastAt }: Failures): boolean {
    return this.#clock.monotonic() - lastAt < FORGET_AFTER_MS;
  }

  #note(subject: string): number {
    const now = this.#clock.monotonic();
    const known = this.#subjects.get(subject);
    const count = known && this.#isRecent(known) ? known.count + 1 : 1;
    this.#subjects.delete(subject);
    this.#subjects.set(subject, { count, lastAt: now });
    if (this.#subjects.size > MAX_SUBJECTS) {
      const longestAgo = this.#longestAgo.next();
      if (longestAgo.done) this.#longestAgo = this.#subjects.keys();
      else this.#subjects.delete(longestAgo.value);
    }
    if (count <= FREE_FAILURES) return 0;
    return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES - 1));
  }
}
