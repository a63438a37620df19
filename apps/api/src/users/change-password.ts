import type { ChangePasswordBody } from '@hub/contract';
import { auditRecord, stateOf, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { checkPassword } from './check-password.ts';
import { type Browser, newSession } from './new-session.ts';
import { requireGoodPassword } from './password-rules.ts';
import { showMe } from './show-me.ts';
import type { SignedIn } from './sign-in.ts';

/**
 * A new password for who knows the present one. All sessions end, in case the reason is that somebody else has one; this
 * browser gets a new one. Personal tokens stay: each can be revoked by itself.
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
    deps.log.warn({ address, personId }, 'A change of password failed: the present one was wrong');
    // Not 401: the session is all right.
    throw new AppError('invalid', 'The present password is wrong. Type the one with which you sign in.');
  }
  const passwordHash = await deps.passwords.hash(input.newPassword, address);
  const { token, session } = newSession(deps, user.id, browser);
  const audit = auditRecord(deps, caller, {
    action: 'password.changed',
    targetId: user.id,
    targetName: user.name,
  });
  const by = stateOf(caller);
  await deps.store.users.changePassword({ personId: user.id, formerHash, passwordHash, session, audit, by });
  return { me: await showMe(deps, user), token };
}
