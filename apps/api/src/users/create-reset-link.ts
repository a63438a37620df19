import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { isoTimeOrNull } from '../time.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { newLink } from './new-link.ts';
import { mayTouchOwners } from './user-rights.ts';

/**
 * A link with which somebody else chooses a new password. The local admin may make one for a lost owner too. For oneself it
 * would be a way around the present password, for whoever has got hold of a session or a token.
 */
export async function createResetLink(deps: Deps, caller: Caller, personId: string): Promise<IssuedLink> {
  const user = await findUser(deps, personId);
  if (caller.user?.id === user.id) {
    throw new AppError(
      'conflict',
      'Nobody makes a reset link for himself. Change the password with the present one, or ask another admin or owner.',
    );
  }
  await requireConfirmed(deps, caller);
  const { url, link, tokenHash } = newLink(deps, caller, 'password_reset', { personId: user.id });
  const audit = auditRecord(deps, caller, {
    action: 'password.reset_link',
    targetId: user.id,
    targetName: user.name,
    details: { linkId: link.id },
  });
  await deps.store.users.createLink({ link, tokenHash, mayTouchOwners: mayTouchOwners(caller), audit });
  return { link: url, expiresAt: isoTimeOrNull(link.expiresAt) };
}
