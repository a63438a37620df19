import type { Clock } from '../platform/ports.ts';

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
 * Slows down a subject (a client address or an account) that keeps failing to authenticate. After ten failures without
 * a quiet minute, each response is delayed: 100 ms at first, then twice as long each time, up to 3 s. Nothing is
 * rejected, and a valid key is never delayed. While 500 responses wait, others are sent at once: open sockets would
 * hurt the server more.
 */
export class FailedAuthentication {
  /** Ordered by last failure, oldest first. */
  readonly #subjects = new Map<string, Failures>();
  /** Yields the subject with the oldest failure. A new iterator would first have to skip the deleted slots. */
  #oldestFirst = this.#subjects.keys();
  #waiting = 0;

  /** `networkOf` returns the same string for subjects that are counted together. By default, each counts separately. */
  constructor(
    private readonly clock: Clock,
    private readonly networkOf: (subject: string) => string = (subject) => subject,
  ) {}

  /** Records a failure of this subject, and resolves when the response may be sent. */
  async slow(subject: string): Promise<void> {
    const delay = this.#record(this.networkOf(subject));
    if (delay === 0 || this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    try {
      await this.clock.sleep(delay);
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether the response to another failure of this subject would be delayed. */
  isSlowed(subject: string): boolean {
    const failures = this.#subjects.get(this.networkOf(subject));
    return failures !== undefined && failures.count >= FREE_FAILURES && this.#isRecent(failures);
  }

  get size(): number {
    return this.#subjects.size;
  }

  #isRecent({ lastAt }: Failures): boolean {
    return this.clock.monotonic() - lastAt < FORGET_AFTER_MS;
  }

  #record(subject: string): number {
    const now = this.clock.monotonic();
    const failures = this.#subjects.get(subject);
    const count = failures && this.#isRecent(failures) ? failures.count + 1 : 1;
    this.#subjects.delete(subject);
    this.#subjects.set(subject, { count, lastAt: now });
    if (this.#subjects.size > MAX_SUBJECTS) {
      const oldest = this.#oldestFirst.next();
      if (oldest.done) this.#oldestFirst = this.#subjects.keys();
      else this.#subjects.delete(oldest.value);
    }
    if (count <= FREE_FAILURES) return 0;
    return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES - 1));
  }
}

/** Returns the IPv4 address, or the /64 of an IPv6 address: one customer usually has a whole /64 (RFC 6177). */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  // IPv4 addresses mapped into IPv6 (RFC 4291, section 2.5.5.2) all share one /64, so each counts separately.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const tailGroups = tail.split(':').filter(Boolean);
    while (groups.length + tailGroups.length < 8) groups.push('0');
    groups.push(...tailGroups);
  }
  return groups.slice(0, 4).join(':');
}
