import type { Role } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import { AppError } from '../errors.ts';

/** Returns whether the caller may create and change owners: owners and the local admin may, admins may not. */
export function mayTouchOwners({ user }: Pick<Caller, 'user'>): boolean {
  return user === null || user.role === 'owner';
}

/** Throws `forbidden` if an admin tries to grant the owner role by any means. */
export function requireMayGrantRole(caller: Pick<Caller, 'user'>, role: Role | undefined): void {
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', 'Only owners can grant the owner role. Ask an owner, or choose another role.');
}

/** Throws `forbidden` if the caller has lost this role since the route admitted them. */
export function requireRole(caller: Pick<Caller, 'user'>, role: 'admin' | 'owner'): void {
  if (role === 'owner' ? mayTouchOwners(caller) : isAdmin(caller)) return;
  throw new AppError('forbidden', `Your role was just changed: this requires the ${role} role.`);
}
