import type { Role } from '@hub/contract';
import type { Caller } from '../actor.ts';
import { AppError } from '../errors.ts';

/** Owners and the local admin may make owners and change them; admins may not. */
export function mayTouchOwners({ user }: Pick<Caller, 'user'>): boolean {
  return user === null || user.role === 'owner';
}

/** Refuses to let an admin make an owner, by whatever way. */
export function requireMayGiveRole(caller: Pick<Caller, 'user'>, role: Role | undefined): void {
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', 'Only owners make somebody an owner. Ask one of them, or choose another role.');
}
