import { LIMITS } from '@hub/contract';
import { hashToken } from '../../access/credentials.ts';
import type { CredentialDeps } from '../../access/deps.ts';
import { clientNetwork, type FailedAuthentication } from '../../access/failed-authentication.ts';
import { AppError, tooBusy, tooManyRequests } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { type AttemptCounts, type GuessCount, type GuessCounts, tooManyThisHour } from '../../platform/guess-counts.ts';
import type { Clock, PasswordHasher } from '../../platform/ports.ts';
import { guessableBasis, isCommonPassword, type PasswordContext } from './guessable-passwords.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** The dependencies of checking and setting passwords. */
export interface PasswordDeps extends CredentialDeps {
  /** Wrong passwords, counted per account. */
  failedPasswords: FailedAuthentication;
  passwordGuesses: PasswordGuesses;
  passwords: PasswordQueue;
  /** `null` if users sign in with a password only. */
  provider: IdentityProvider | null;
}

interface PasswordCheck {
  password: string;
  /** `null` if there is no such account, which must not be revealed. */
  hash: string | null;
  email: string;
  /** The user id of the account; `null` if there is none. */
  userId: string | null;
  address: string;
  /** The session in which the password is confirmed. */
  sessionId?: string;
}

/**
 * Returns whether the password is correct. Every password check goes through here: too many failures are rejected with
 * `too_many_requests` before hashing, and the response to a failure is delayed per address and per account.
 */
export async function checkPassword(deps: PasswordDeps, check: PasswordCheck): Promise<boolean> {
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
  let end = await passwordGuesses.begin(attempt);
  if (end instanceof AppError && !attempt.isKnown && (await isSignedInFrom(deps, check)))
    end = await passwordGuesses.begin({ ...attempt, isKnown: true });
  if (end instanceof AppError) throw end;
  let isWrong = false;
  try {
    // Users of a provider may have no password.
    isWrong = !(await passwords.verify(password, hash || null, address));
    if (isWrong) await Promise.all([failedAuthentication.slow(address), failedPasswords.slow(account)]);
  } finally {
    await end(isWrong);
  }
  return !isWrong;
}

/** Returns whether a session of this account was last used from the same network. */
async function isSignedInFrom(
  { store, clock }: PasswordDeps,
  { userId, address }: Pick<PasswordCheck, 'userId' | 'address'>,
): Promise<boolean> {
  const sessions = await store.users.listSessions({ userId: userId ?? '', now: clock.now(), limit: 100 });
  const network = clientNetwork(address);
  return sessions.some((session) => clientNetwork(session.address) === network);
}

/**
 * Throws `invalid` if a new password is too short, common, the e-mail address itself, or based on what a guesser knows.
 * Any characters are allowed (NIST SP 800-63B, section 3.1.1.2). `field` is the name of the body field for the error
 * message.
 */
export function requireGoodPassword(password: string, context: PasswordContext, field = 'password'): void {
  const min = LIMITS.passwordMinCodePoints;
  const size = [...password].length;
  if (size < min) throw new AppError('invalid', `${field} has ${size} characters; at least ${min} are required`);
  if (password.trim().toLowerCase() === context.email) {
    throw new AppError('invalid', `${field} must not be the e-mail address. Choose another password.`);
  }
  if (isCommonPassword(password)) {
    throw new AppError('invalid', `${field} is too easy to guess. Choose a less common password.`);
  }
  const basis = guessableBasis(password, context);
  if (basis !== null) {
    throw new AppError('invalid', `${field} is too easy to guess: it is based on ${basis}. Add a few unrelated words.`);
  }
}

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

/**
 * Admits password attempts before anything is hashed. Each counts as a failure until it proves correct, so that
 * concurrent attempts get no more guesses than sequential ones.
 */
export class PasswordGuesses {
  constructor(private readonly counts: GuessCounts) {}

  /**
   * Counts this attempt as a failure until the returned function is called with the outcome. Returns the error instead
   * if the attempt may not be made now.
   */
  async begin(attempt: Attempt): Promise<AppError | ((isWrong: boolean) => Promise<void>)> {
    const { source, address, account } = attempt;
    const names = { pair: `${source} ${account}`, address, account };
    const error = await this.counts.change(names, (counts, now) => {
      const error = errorFor(attempt, counts, now);
      if (!error) for (const count of Object.values(counts)) count.running += 1;
      return error;
    });
    if (error) return error;
    return (isWrong) =>
      this.counts.change(names, (counts) => {
        for (const count of Object.values(counts)) {
          count.running = Math.max(0, count.running - 1);
          if (isWrong) count.failed += 1;
        }
      });
  }
}

/** Returns the error if this attempt may not be made now, or null. */
function errorFor(attempt: Attempt, { pair, address, account }: AttemptCounts, now: number): AppError | null {
  const isBusy = pair.running > 0 && (attempt.isSlowed || pair.running >= AT_ONCE);
  if (isBusy) {
    const message = `Another password for this account is being checked. Try again in ${BUSY_SECONDS} seconds.`;
    return tooManyRequests(message, BUSY_SECONDS);
  }
  const tier = attempt.isKnown ? undefined : PER_ACCOUNT.find(({ failures }) => sum(account) >= failures);
  if (sum(pair) >= (tier?.perSource ?? PER_SOURCE)) return tooManyFailures(tier?.perSource === 0 ? account : pair, now);
  return !attempt.isKnown && sum(address) >= PER_ADDRESS ? tooManyFailures(address, now) : null;
}

const sum = ({ failed, running }: GuessCount): number => failed + running;

const tooManyFailures = (count: GuessCount, now: number): AppError =>
  tooManyThisHour(count, now, 'Too many failed attempts in the last hour.');

/** Each hash takes a core and 19 MiB for about 30 ms, and posts and searches need a core too. */
const HASHES_AT_ONCE = 2;
const MAX_WAITING = 64;

/**
 * Hashes and verifies passwords, two at a time, and one for each network of clients, which take turns, so that a
 * guesser delays only itself. A 503, when too many wait, reveals nothing about the password.
 */
export class PasswordQueue {
  readonly #gate: FairGate;
  #dummyHash: string | undefined;

  constructor(
    private readonly hasher: PasswordHasher,
    clock: Clock,
  ) {
    this.#gate = new FairGate({
      clock,
      perCaller: 1,
      total: HASHES_AT_ONCE,
      maxWaiting: MAX_WAITING,
      busy: () => tooBusy('The server is busy checking passwords. Try again in a few seconds.'),
    });
  }

  get waiting(): number {
    return this.#gate.waiting;
  }

  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => this.hasher.hash(normalized(password)));
  }

  /** Returns whether the password matches. Without a hash, it takes just as long, so that the time reveals nothing. */
  verify(password: string, hash: string | null, address: string): Promise<boolean> {
    return this.#inTurn(address, async () => {
      this.#dummyHash ??= await this.hasher.hash('the password of nobody');
      const isRight = await this.hasher.verify(normalized(password), hash ?? this.#dummyHash);
      return isRight && hash !== null;
    });
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#gate.enter(clientNetwork(address));
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Normalizes a password, so that it gives the same bytes on every keyboard (NIST SP 800-63B, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
