import type { SessionConfirmation } from '@hub/contract';
import type { Caller, UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../time.ts';
import { checkPassword } from './check-password.ts';

/** How long a password counts as given just now. */
const CONFIRMED_MS = 15 * 60 * 1000;
/** Of the refusal that a confirmation helps against, so that a page need not read its message. */
const ASKS_FOR_PASSWORD = { 'hub-confirmation': 'password' };

/** Notes that whoever has this session knows the password, for what `requireConfirmed` guards. */
export async function confirmSession(deps: Deps, caller: UserCaller, password: string): Promise<SessionConfirmation> {
  await requirePassword(deps, caller, password);
  const at = deps.clock.now();
  await deps.store.users.confirmSession({ sessionId: caller.credential.id, at });
  return { confirmedUntil: isoTime(at + CONFIRMED_MS) };
}

/** Refuses with `invalid` unless this is the password of the caller. */
export async function requirePassword(deps: Deps, caller: UserCaller, password: string): Promise<void> {
  const { user, address, credential } = caller;
  const hash = await deps.store.users.findPasswordHash(user.id);
  const { id: personId, email } = user;
  if (await checkPassword(deps, { password, hash, email, personId, address, sessionId: credential.id })) return;
  deps.log.warn({ address, personId }, 'A password was asked for again, and was wrong');
  // Not 401: the session is all right.
  throw new AppError('invalid', 'The password is wrong. Type the one with which you sign in.');
}

/**
 * For what would give whoever finds an open browser more than that browser: refuses a session in which the password was
 * last given more than 15 minutes ago. Tokens and the local admin have no password to give.
 */
export async function requireConfirmed(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { credential }: Pick<Caller, 'credential'>,
): Promise<void> {
  if (credential.kind !== 'session') return;
  const givenAt = await store.users.passwordGivenAt(credential.id);
  if (givenAt !== null && clock.now() - givenAt <= CONFIRMED_MS) return;
  throw new AppError(
    'forbidden',
    'Confirm your password first: it was last given more than 15 minutes ago. Nothing was changed.',
    ASKS_FOR_PASSWORD,
  );
}
