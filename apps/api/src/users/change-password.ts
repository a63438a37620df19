import type { ChangePasswordBody } from '@hub/contract';
import { auditRecord, type UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { Repositories } from '../storage/repositories.ts';
import { checkPassword, requireGoodPassword } from './check-password.ts';
import { type Browser, type NewSession, newSession, startSession } from './new-session.ts';
import { showMe } from './show-me.ts';
import type { SignedIn } from './sign-in.ts';

/**
 * Changes the caller's password, given the current one. All sessions end, in case one was stolen; this browser gets a
 * new one. Personal access tokens stay valid: each can be revoked on its own.
 */
export async function changePassword(
  deps: Deps,
  caller: UserCaller,
  browser: Browser,
  input: ChangePasswordBody,
): Promise<SignedIn> {
  const { user, address, credential } = caller;
  requireGoodPassword(input.newPassword, user.email, 'newPassword');
  const formerHash = await deps.store.users.findPasswordHash(user.id);
  const { id: personId, email } = user;
  const check = { password: input.currentPassword, hash: formerHash, email, personId, address };
  if (!(await checkPassword(deps, { ...check, sessionId: credential.id })) || formerHash === null) {
    deps.log.warn({ address, personId }, 'Password change failed: wrong current password');
    // Not 401: the session is still valid.
    throw new AppError('invalid', 'The current password is incorrect. Enter the password you sign in with.');
  }
  const passwordHash = await deps.passwords.hash(input.newPassword, address);
  const { token, session } = newSession(deps, user.id, browser);
  // Every new password ends all sessions: as long as this one is valid, the password is the one that was checked.
  await changeAs(deps, caller, async (tx) => {
    await setPassword(tx, user.id, { passwordHash, session });
    await tx.audit.insert(
      auditRecord(deps, caller, { action: 'password.changed', targetId: user.id, targetName: user.name }),
    );
  });
  return { me: await showMe(deps, user), token };
}

/** Sets a new password, and ends all sessions and reset links of the user. Then starts a session. */
export async function setPassword(
  tx: Repositories,
  personId: string,
  { passwordHash, session }: { passwordHash: string; session: NewSession },
): Promise<void> {
  await tx.users.update(personId, { passwordHash });
  await tx.sessions.deleteAllOf(personId);
  await tx.links.deleteMatching({ kind: 'password_reset', personId });
  await startSession(tx, session);
}
