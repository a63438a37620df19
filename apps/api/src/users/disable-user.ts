import type { User } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { findUser } from './find-user.ts';
import { mayTouchOwners } from './user-rights.ts';
import { userView } from './user-view.ts';

/**
 * Disables an account immediately: its sessions, personal access tokens and the links it created end permanently, and
 * its live views end within a second. Posts and memberships stay, in case the account is enabled again.
 */
export async function disableUser(deps: Deps, caller: Caller, personId: string): Promise<User> {
  const user = await findUser(deps, personId);
  if (caller.user?.id === user.id) {
    throw new AppError('conflict', 'You cannot disable your own account. Ask another admin or owner.');
  }
  const audit = auditRecord(deps, caller, {
    action: 'person.disabled',
    targetId: user.id,
    targetName: user.name,
  });
  const disabled = await deps.store.users.disable({
    personId,
    mayTouchOwners: mayTouchOwners(caller),
    at: deps.clock.now(),
    audit,
  });
  if (!disabled) throw new AppError('not_found', notFound('user', personId));
  return userView(disabled);
}
