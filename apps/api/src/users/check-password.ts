import type { Deps } from '../deps.ts';
import { clientNetwork } from '../keys/client-network.ts';
import { hashToken } from '../keys/hash-token.ts';

interface PasswordCheck {
  password: string;
  /** `null`: there is no such account, which must not show. */
  hash: string | null;
  email: string;
  /** Whose account it is; `null` if there is none. */
  personId: string | null;
  address: string;
  /** The session in which the password is asked for once more. */
  sessionId?: string;
}

type CheckDeps = Pick<
  Deps,
  'store' | 'clock' | 'failedAuthentication' | 'failedPasswords' | 'passwordGuesses' | 'passwords'
>;

/**
 * Whether the password is right. The one place where any is checked: too many wrong ones are refused with
 * `too_many_requests` before they are hashed, and a wrong one resolves as late as its address and its account make it.
 */
export async function checkPassword(deps: CheckDeps, check: PasswordCheck): Promise<boolean> {
  const { failedAuthentication, failedPasswords, passwordGuesses, passwords } = deps;
  const { password, hash, email, address, sessionId } = check;
  // The hash is of one length, whatever was typed: what is remembered of failures stays small.
  const account = Buffer.from(hashToken(email)).toString('hex');
  const network = clientNetwork(address);
  const isSlowed = failedAuthentication.isSlowed(address) || failedPasswords.isSlowed(account);
  const attempt = {
    place: sessionId ?? network,
    address: network,
    account,
    isSlowed,
    isKnown: sessionId !== undefined,
  };
  if (passwordGuesses.error(attempt) && !attempt.isKnown) attempt.isKnown = await isSignedInFrom(deps, check);
  const error = passwordGuesses.error(attempt);
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

/** Whether a session of this account was last used from the same network. */
async function isSignedInFrom(
  { store, clock }: CheckDeps,
  { personId, address }: Pick<PasswordCheck, 'personId' | 'address'>,
): Promise<boolean> {
  const sessions = await store.users.listSessions({ personId: personId ?? '', now: clock.now(), limit: 100 });
  const network = clientNetwork(address);
  return sessions.some((session) => clientNetwork(session.address) === network);
}
