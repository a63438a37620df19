import type { User } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin, requireMayTouch, requireOtherOwner } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { userView } from './user-view.ts';

/**
 * Disables an account immediately: its sessions, personal access tokens and the links it created end permanently, and
 * its live views end within a second. Posts and memberships stay, in case the account is enabled again.
 */
export function disableUser(deps: Deps, sender: Caller, personId: string): Promise<User> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const user = await findUser(tx, personId);
    if (caller.user?.id === user.id) {
      throw new AppError('conflict', 'You cannot disable your own account. Ask another admin or owner.');
    }
    requireMayTouch(caller, user);
    if (user.disabledAt !== null) return userView(user);
    await requireOtherOwner(tx, user);
    const disabledAt = deps.clock.now();
    await tx.users.update(user.id, { disabledAt });
    await tx.sessions.deleteAllOf(user.id);
    await tx.tokens.deleteAllOf(user.id);
    await tx.links.deleteMatching({ kind: 'password_reset', personId: user.id });
    await tx.links.deleteCreatedBy(user.id);
    await tx.audit.insert(
      auditRecord(deps, caller, { action: 'person.disabled', targetId: user.id, targetName: user.name }),
    );
    return userView({ ...user, disabledAt });
  });
}

/** Enables a disabled account with its previous password. Its earlier sessions and tokens stay invalid. */
export function enableUser(deps: Deps, sender: Caller, personId: string): Promise<User> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const user = await findUser(tx, personId);
    if (user.role !== 'member' && user.disabledAt !== null) await requireConfirmed(tx, caller, deps.clock.now());
    requireMayTouch(caller, user);
    if (user.disabledAt === null) return userView(user);
    await tx.users.update(user.id, { disabledAt: null });
    if (user.role === 'owner') await tx.links.deleteMatching({ kind: 'setup' });
    await tx.audit.insert(
      auditRecord(deps, caller, { action: 'person.enabled', targetId: user.id, targetName: user.name }),
    );
    return userView({ ...user, disabledAt: null });
  });
}
