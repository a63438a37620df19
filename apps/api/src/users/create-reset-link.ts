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
 * Creates a link that lets another user choose a new password. The local admin can also create one for an owner who is
 * locked out. Users cannot create one for themselves, since a stolen session or token would then be enough to set a
 * password without knowing the current one.
 */
export async function createResetLink(deps: Deps, caller: Caller, personId: string): Promise<IssuedLink> {
  const user = await findUser(deps, personId);
  if (caller.user?.id === user.id) {
    throw new AppError(
      'conflict',
      'You cannot create a reset link for your own account. Change your password, or ask another admin or owner.',
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
