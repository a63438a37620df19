import { LIMITS } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { clientNetwork } from '../credentials/client-network.ts';
import { hashToken } from '../credentials/hash-token.ts';
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

type CheckDeps = Pick<
  Deps,
  'store' | 'clock' | 'failedAuthentication' | 'failedPasswords' | 'passwordGuesses' | 'passwords'
>;

/**
 * Returns whether the password is correct. Every password check goes through here: too many failures are rejected with
 * `too_many_requests` before hashing, and the response to a failure is delayed per address and per account.
 */
export async function checkPassword(deps: CheckDeps, check: PasswordCheck): Promise<boolean> {
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
  { store, clock }: CheckDeps,
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
