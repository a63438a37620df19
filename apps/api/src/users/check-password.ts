import { LIMITS } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError, tooManyRequests } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import { clientNetwork } from '../credentials/client-network.ts';
import { hashToken } from '../credentials/tokens.ts';
import { isCommonPassword } from './common-passwords.ts';

interface PasswordCheck {
  password: string;
  /** `null` if there is no such account, which must not be revealed. */
  hash: string | null;
  email: string;
  /** The user id of the account; `null` if there is none. */
  personId: string | null;
  address: string;
  /** The session in which the password is confirmed. */
  sessionId?: string;
}

/**
 * Returns whether the password is correct. Every password check goes through here: too many failures are rejected with
 * `too_many_requests` before hashing, and the response to a failure is delayed per address and per account.
 */
export async function checkPassword(deps: Deps, check: PasswordCheck): Promise<boolean> {
  const { failedAuthentication, failedPasswords, passwordGuesses, passwords } = deps;
  const { password, hash, email, address, sessionId } = check;
  // Hashed, so that the record of failures stays small: a hash has a fixed length, whatever was typed.
  const account = Buffer.from(hashToken(email)).toString('hex');
  const network = clientNetwork(address);
  const isSlowed = failedAuthentication.isSlowed(address) || failedPasswords.isSlowed(account);
  const attempt = {
    source: sessionId ?? network,
    address: network,
    account,
    isSlowed,
    isKnown: sessionId !== undefined,
  };
  if (passwordGuesses.errorFor(attempt) && !attempt.isKnown) attempt.isKnown = await isSignedInFrom(deps, check);
  const error = passwordGuesses.errorFor(attempt);
  if (error) throw error;
  const end = passwordGuesses.begin(attempt);
  let isWrong = false;
  try {
    isWrong = !(await passwords.verify(password, hash, address));
    if (isWrong) await Promise.all([failedAuthentication.slow(address), failedPasswords.slow(account)]);
  } finally {
    end(isWrong);
  }
  return !isWrong;
}

/** Returns whether a session of this account was last used from the same network. */
async function isSignedInFrom(
  { store, clock }: Deps,
  { personId, address }: Pick<PasswordCheck, 'personId' | 'address'>,
): Promise<boolean> {
  const sessions = await store.users.listSessions({ personId: personId ?? '', now: clock.now(), limit: 100 });
  const network = clientNetwork(address);
  return sessions.some((session) => clientNetwork(session.address) === network);
}

/**
 * Throws `invalid` if a new password is too short, common, or the e-mail address itself. Any characters are allowed
 * (NIST SP 800-63B, section 3.1.1.2). `field` is the name of the body field for the error message.
 */
export function requireGoodPassword(password: string, email: string, field = 'password'): void {
  const min = LIMITS.passwordMinCodePoints;
  const size = [...password].length;
  if (size < min) throw new AppError('invalid', `${field} has ${size} characters; at least ${min} are required`);
  if (password.trim().toLowerCase() === email) {
    throw new AppError('invalid', `${field} must not be the e-mail address: choose another password`);
  }
  if (isCommonPassword(password)) {
    throw new AppError('invalid', `${field} is too easy to guess: choose a less common password`);
  }
}

declare module '../context/deps.ts' {
  interface Deps {
    passwordGuesses: PasswordGuesses;
  }
}

const HOUR_MS = 60 * 60 * 1000;
/** The maximum number of concurrent attempts for one account from one source while failures are not being slowed. */
const AT_ONCE = 10;
/** The maximum number of wrong passwords per hour for one account from one source. */
const PER_SOURCE = 20;
/** The maximum number of wrong passwords per hour from one address, across all accounts. */
const PER_ADDRESS = 100;
/** After this many wrong passwords per hour for one account, each source has a lower limit. */
const PER_ACCOUNT = [
  { failures: 1_000, perSource: 0 },
  { failures: 100, perSource: 3 },
];
const BUSY_SECONDS = 3;
const MAX_COUNTS = 20_000;

interface Attempt {
  /** The session in which the password is confirmed, or the network of the sign-in. */
  source: string;
  /** The network of the client. */
  address: string;
  /** A hash of the e-mail address. */
  account: string;
  /** Whether this account is signed in at this source. If so, only guesses from this source count against it. */
  isKnown: boolean;
  /** Whether the response to a failure would be delayed. */
  isSlowed: boolean;
}

/** The attempts in the hour that began at `startedAt`, on the monotonic clock. */
interface Count {
  startedAt: number;
  failed: number;
  /** The number of attempts whose outcome is not known yet, or has not been sent. */
  running: number;
}

/**
 * Admits password attempts before anything is hashed. Each counts as a failure until it proves correct, so that
 * concurrent attempts get no more guesses than sequential ones. Memory is bounded: the oldest counts are dropped first.
 */
export class PasswordGuesses {
  readonly #clock: Clock;
  readonly #pairs = new HourlyCounts();
  readonly #addresses = new HourlyCounts();
  readonly #accounts = new HourlyCounts();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the error if this attempt may not be made now, or null. */
  errorFor(attempt: Attempt): AppError | null {
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
    if (sum(pair) >= (tier?.perSource ?? PER_SOURCE))
      return tooManyFailures(tier?.perSource === 0 ? account : pair, now);
    return !attempt.isKnown && sum(address) >= PER_ADDRESS ? tooManyFailures(address, now) : null;
  }

  /** Counts this attempt as a failure until the returned function is called with the outcome. */
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

const pairOf = ({ source, account }: Attempt): string => `${source} ${account}`;
const sum = ({ failed, running }: Count): number => failed + running;

function tooManyFailures({ startedAt }: Count, now: number): AppError {
  const seconds = Math.ceil((startedAt + HOUR_MS - now) / 1000);
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return tooManyRequests(`Too many failed password attempts in the last hour. Try again in ${wait}.`, seconds);
}

class HourlyCounts {
  /** Oldest first. */
  readonly #counts = new Map<string, Count>();
  #oldest = this.#counts.keys();

  find(name: string, now: number): Count {
    const count = this.#counts.get(name);
    if (count && now - count.startedAt < HOUR_MS) return count;
    return { startedAt: now, failed: 0, running: count?.running ?? 0 };
  }

  /** Returns the count, which the caller can change. */
  take(name: string, now: number): Count {
    const known = this.#counts.get(name);
    if (known && now - known.startedAt < HOUR_MS) return known;
    // Keeps the object, since running attempts hold a reference to it.
    const count = Object.assign(known ?? {}, this.find(name, now));
    this.#counts.delete(name);
    this.#counts.set(name, count);
    if (this.#counts.size > MAX_COUNTS) {
      const oldest = this.#oldest.next();
      if (oldest.done) this.#oldest = this.#counts.keys();
      else this.#counts.delete(oldest.value);
    }
    return count;
  }
}
