import type { IssuedLink } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireMayTouch, requireRole } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { newLink } from './new-link.ts';

/**
 * Creates a link that lets another user choose a new password. The local admin can also create one for an owner who is
 * locked out. Users cannot create one for themselves, since a stolen session or token would then be enough to set a
 * password without knowing the current one.
 */
export function createResetLink(deps: Deps, sender: Caller, personId: string): Promise<IssuedLink> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireRole(caller, 'admin');
    const user = await findUser(tx, personId);
    if (caller.user?.id === user.id) {
      throw new AppError(
        'conflict',
        'You cannot create a reset link for your own account. Change your password, or ask another admin or owner.',
      );
    }
    await requireConfirmed(tx, caller, deps.clock.now());
    requireMayTouch(caller, user);
    if (user.disabledAt !== null) {
      throw new AppError('conflict', `The account of ${user.name} is disabled. Enable it first.`);
    }
    await tx.links.deleteMatching({ kind: 'password_reset', personId: user.id });
    const { url, link, tokenHash } = newLink(deps, caller, 'password_reset', { personId: user.id });
    await tx.links.insert(link, tokenHash);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'password.reset_link',
        targetId: user.id,
        targetName: user.name,
        details: { linkId: link.id },
      }),
    );
    return { link: url, expiresAt: isoTimeOrNull(link.expiresAt) };
  });
}
