import type { User } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { requireConfirmed } from './confirm-session.ts';
import { findUser } from './find-user.ts';
import { mayTouchOwners } from './user-rights.ts';
import { userView } from './user-view.ts';

/** Enables a disabled account with its previous password. Its earlier sessions and tokens stay invalid. */
export async function enableUser(deps: Deps, caller: Caller, personId: string): Promise<User> {
  const user = await findUser(deps, personId);
  if (user.role !== 'member' && user.disabledAt !== null) await requireConfirmed(deps, caller);
  const audit = auditRecord(deps, caller, {
    action: 'person.enabled',
    targetId: user.id,
    targetName: user.name,
  });
  const enabled = await deps.store.users.enable({ personId, mayTouchOwners: mayTouchOwners(caller), audit });
  if (!enabled) throw new AppError('not_found', notFound('user', personId));
  return userView(enabled);
}
