import type { ChangeMeBody, ChangeUserBody, Me, Role, User } from '@hub/contract';
import { reportMember } from '../avatars/change-avatar.ts';
import { auditRecord, type Caller, type UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin, requireMayGrantRole, requireMayTouch, requireOtherOwner } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { UserRecord } from '../storage/users-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { showMe } from './show-me.ts';
import { userView } from './user-view.ts';

type NameAndRole = Pick<UserRecord, 'name' | 'role'>;

const RANK: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 };

/** Changes a user's name or role. Users cannot change their own role, so that they do not lock themselves out. */
export function changeUser(deps: Deps, sender: Caller, personId: string, input: ChangeUserBody): Promise<User> {
  return changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const user = await findUser(tx, personId);
    requireMayGrantRole(caller, input.role);
    if (input.role !== undefined && input.role !== user.role) {
      if (caller.user?.id === user.id) {
        throw new AppError('conflict', 'You cannot change your own role. Ask another admin or owner.');
      }
      await requireConfirmed(tx, caller, deps.clock.now());
    }
    requireMayTouch(caller, user);
    const to = {
      ...(input.name === undefined ? {} : { name: input.name.trim() }),
      ...(input.role === undefined ? {} : { role: input.role }),
    };
    const changed = await change(deps, tx, user, { to, from: { name: user.name, role: user.role }, caller });
    return userView(changed);
  });
}

/** Changes the caller's own name, the only field that users may change themselves. */
export async function changeMe(deps: Deps, sender: UserCaller, input: ChangeMeBody): Promise<Me> {
  const changed = await changeAs(deps, sender, (tx, caller) => {
    const { name } = caller.user;
    return change(deps, tx, caller.user, { to: { name: input.name?.trim() ?? name }, from: { name }, caller });
  });
  return showMe(deps, changed);
}

/** Writes a new name or role, or nothing if both are the same as before. */
async function change(
  deps: Deps,
  tx: Repositories,
  user: UserRecord,
  { to, from, caller }: { to: Partial<NameAndRole>; from: Partial<NameAndRole>; caller: Caller },
): Promise<UserRecord> {
  const changed = { ...user, ...to };
  const isRenamed = changed.name !== user.name;
  const hasNewRole = changed.role !== user.role;
  if (!isRenamed && !hasNewRole) return user;
  if (changed.role !== 'owner') await requireOtherOwner(tx, user);
  await tx.users.update(user.id, {
    ...(isRenamed ? { name: changed.name } : {}),
    ...(hasNewRole ? { role: changed.role } : {}),
  });
  if (hasNewRole) {
    // Otherwise, the recipient of the link could take over an account that now has more rights.
    await tx.links.deleteMatching({ kind: 'password_reset', personId: user.id });
    if (RANK[changed.role] < RANK[user.role]) await tx.links.deleteCreatedBy(user.id);
    if (changed.role === 'owner') await tx.links.deleteMatching({ kind: 'setup' });
  }
  const audit = auditRecord(deps, caller, {
    action: 'person.changed',
    targetId: user.id,
    targetName: user.name,
    details: { from, to },
  });
  if (isRenamed) await reportMember(tx, changed, audit.at);
  await tx.audit.insert(audit);
  return changed;
}
