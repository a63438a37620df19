import { type AppError, tooManyRequests } from '../errors.ts';
import type { Clock } from '../ports.ts';

const HOUR_MS = 60 * 60 * 1000;
/** So many may be under way at once at one account from one place, as long as no delay is owed. */
const AT_ONCE = 10;
/** Wrong passwords an hour at one account from one place. */
const PER_PLACE = 20;
/** Wrong passwords an hour from one address, whatever accounts they are tried at. */
const PER_ADDRESS = 100;
/** From so many wrong passwords an hour at one account on, each place has less of them left. */
const PER_ACCOUNT = [
  { failures: 1_000, perPlace: 0 },
  { failures: 100, perPlace: 3 },
];
const BUSY_SECONDS = 3;
const MAX_COUNTS = 20_000;

export interface Attempt {
  /** The session in which the password is asked for again, or the network that signs in. */
  place: string;
  /** The network from which it comes. */
  address: string;
  /** A hash of the e-mail address. */
  account: string;
  /** Whether somebody with this account is signed in at this place: then only its own guesses count against it. */
  isKnown: boolean;
  /** Whether the answer to a failure would be held back. */
  isSlowed: boolean;
}

/** Since `startedAt` on the monotonic clock, for an hour. */
interface Count {
  startedAt: number;
  failed: number;
  /** Attempts whose outcome is not known, or not sent yet. */
  running: number;
}

/**
 * Admits attempts to give a password, before any of it is hashed. Each counts as a failure until it turns out to be none, so that
 * those that come at once get no more of them than those that come one after the other. Memory is bounded: what began longest
 * ago is forgotten first.
 */
export class PasswordGuesses {
  readonly #clock: Clock;
  readonly #pairs = new HourlyCounts();
  readonly #addresses = new HourlyCounts();
  readonly #accounts = new HourlyCounts();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why this attempt may not be made now; `null` if it may. */
  error(attempt: Attempt): AppError | null {
    const now = this.#clock.monotonic();
    const pair = this.#pairs.find(pairOf(attempt), now);
    const address = this.#addresses.find(attempt.address, now);
    const account = this.#accounts.find(attempt.account, now);
    const isBusy = pair.running > 0 && (attempt.isSlowed || pair.running >= AT_ONCE);
    if (isBusy) {
      const message = `Another password for this account is being checked. Try again in ${BUSY_SECONDS} seconds.`;
      return tooManyRequests(message, BUSY_SECONDS);
    }
    const tier = attempt.isKnown ? undefined : PER_ACCOUNT.find(({ failures }) => sum(account) >= failures);
    if (sum(pair) >= (tier?.perPlace ?? PER_PLACE)) return tooManyWrong(tier?.perPlace === 0 ? account : pair, now);
    return !attempt.isKnown && sum(address) >= PER_ADDRESS ? tooManyWrong(address, now) : null;
  }

  /** Counts this attempt as a failure until what it returns is called with the outcome. */
  begin(attempt: Attempt): (isWrong: boolean) => void {
    const now = this.#clock.monotonic();
    const counts = [
      this.#pairs.take(pairOf(attempt), now),
      this.#addresses.take(attempt.address, now),
      this.#accounts.take(attempt.account, now),
    ];
    for (const count of counts) count.running += 1;
    return (isWrong) => {
      for (const count of counts) {
        count.running -= 1;
        if (isWrong) count.failed += 1;
      }
    };
  }
}

const pairOf = ({ place, account }: Attempt): string => `${place} ${account}`;
const sum = ({ failed, running }: Count): number => failed + running;

function tooManyWrong({ startedAt }: Count, now: number): AppError {
  const seconds = Math.ceil((startedAt + HOUR_MS - now) / 1000);
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return tooManyRequests(
    `Too many wrong passwords were tried from here within an hour. Try again in ${wait}.`,
    seconds,
  );
}

class HourlyCounts {
  /** In the order in which they began. */
  readonly #counts = new Map<string, Count>();
  #longestAgo = this.#counts.keys();

  find(name: string, now: number): Count {
    const count = this.#counts.get(name);
    if (count && now - count.startedAt < HOUR_MS) return count;
    return { startedAt: now, failed: 0, running: count?.running ?? 0 };
  }

  /** The same, to be changed. */
  take(name: string, now: number): Count {
    const known = this.#counts.get(name);
    if (known && now - known.startedAt < HOUR_MS) return known;
    // The same object, since those that are under way have it.
    const count = Object.assign(known ?? {}, this.find(name, now));
    this.#counts.delete(name);
    this.#counts.set(name, count);
    if (this.#counts.size > MAX_COUNTS) {
      const longestAgo = this.#longestAgo.next();
      if (longestAgo.done) this.#longestAgo = this.#counts.keys();
      else this.#counts.delete(longestAgo.value);
    }
    return count;
  }
}
