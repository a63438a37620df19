import type { ChangeUserBody, User } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { mayTouchOwners, requireMayGrantRole } from './user-rights.ts';
import { userView } from './user-view.ts';

/** Changes a user's name or role. Users cannot change their own role, so that they do not lock themselves out. */
export async function changeUser(deps: Deps, caller: Caller, personId: string, input: ChangeUserBody): Promise<User> {
  const user = await findUser(deps, personId);
  requireMayGrantRole(caller, input.role);
  if (input.role !== undefined && input.role !== user.role && caller.user?.id === user.id) {
    throw new AppError('conflict', 'You cannot change your own role. Ask another admin or owner.');
  }
  if (input.role !== undefined && input.role !== user.role) await requireConfirmed(deps, caller);
  const changes = {
    ...(input.name === undefined ? {} : { name: input.name.trim() }),
    ...(input.role === undefined ? {} : { role: input.role }),
  };
  const audit = auditRecord(deps, caller, {
    action: 'person.changed',
    targetId: user.id,
    targetName: user.name,
    details: { from: { name: user.name, role: user.role }, to: changes },
  });
  const changed = await deps.store.users.change({
    personId,
    mayTouchOwners: mayTouchOwners(caller),
    ...changes,
    audit,
  });
  if (!changed) throw new AppError('not_found', notFound('user', personId));
  return userView(changed);
}
