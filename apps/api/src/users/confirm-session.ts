import type { SessionConfirmation } from '@hub/contract';
import type { Caller, UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTime } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { UserReads } from '../storage/users-store.ts';
import { checkPassword } from './check-password.ts';

/** How long a password counts as confirmed. */
const CONFIRMED_MS = 15 * 60 * 1000;
/** Marks the error that a confirmation resolves, so that a page does not have to parse its message. */
const CONFIRMATION_HEADER = { 'hub-confirmation': 'password' };

/** Records that the password was entered in this session, for the operations that `requireConfirmed` guards. */
export async function confirmSession(deps: Deps, caller: UserCaller, password: string): Promise<SessionConfirmation> {
  await requirePassword(deps, caller, password);
  const at = deps.clock.now();
  await changeAs(deps, caller, ({ sessions }) => sessions.update(caller.credential.id, { confirmedAt: at }));
  return { confirmedUntil: isoTime(at + CONFIRMED_MS) };
}

/** Throws `invalid` unless this is the caller's password. */
export async function requirePassword(deps: Deps, caller: UserCaller, password: string): Promise<void> {
  const { user, address, credential } = caller;
  const hash = await deps.store.users.findPasswordHash(user.id);
  const { id: personId, email } = user;
  if (await checkPassword(deps, { password, hash, email, personId, address, sessionId: credential.id })) return;
  deps.log.warn({ address, personId }, 'Password confirmation failed: wrong password');
  // Not 401: the session is still valid.
  throw new AppError('invalid', 'The password is incorrect. Enter the password you sign in with.');
}

/**
 * Throws `forbidden` in a session in which the password was last entered more than 15 minutes ago. It guards
 * operations that could give lasting access to anyone at an unlocked browser. Tokens and the local admin have no
 * password to confirm.
 */
export async function requireConfirmed(
  { users }: { users: Pick<UserReads, 'passwordGivenAt'> },
  { credential }: Pick<Caller, 'credential'>,
  now: number,
): Promise<void> {
  if (credential.kind !== 'session') return;
  const givenAt = await users.passwordGivenAt(credential.id);
  if (givenAt !== null && now - givenAt <= CONFIRMED_MS) return;
  throw new AppError(
    'forbidden',
    'Confirm your password first: you last entered it more than 15 minutes ago. Nothing was changed.',
    CONFIRMATION_HEADER,
  );
}
