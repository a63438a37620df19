import type { Role } from '@hub/contract';
import { AppError } from '../core/errors.ts';
import type { UserReads, UserRecord } from '../storage/users-store.ts';
import { type Caller, isAdmin } from './actor.ts';

/** Throws `forbidden` for members. */
export function requireAdmin(caller: Pick<Caller, 'user'>): void {
  if (!isAdmin(caller)) throw new AppError('forbidden', 'Only workspace admins can do this. Ask an admin.');
}

/** Throws `forbidden` for everyone but owners and the local admin. */
export function requireOwner(caller: Pick<Caller, 'user'>): void {
  if (mayTouchOwners(caller)) return;
  throw new AppError(
    'forbidden',
    'Only owners can do this, because it includes the content of every Hub. Ask an owner.',
  );
}

/** Returns whether the caller may create and change owners: owners and the local admin may, admins may not. */
export function mayTouchOwners({ user }: Pick<Caller, 'user'>): boolean {
  return user === null || user.role === 'owner';
}

/** Throws `forbidden` if an admin tries to change an owner. */
export function requireMayTouch(caller: Pick<Caller, 'user'>, { name, role }: UserRecord): void {
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', `${name} is an owner. Only another owner can do this. Ask an owner.`);
}

/** Throws `forbidden` if an admin tries to grant the owner role by any means. */
export function requireMayGrantRole(caller: Pick<Caller, 'user'>, role: Role | undefined): void {
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', 'Only owners can grant the owner role. Ask an owner, or choose another role.');
}

/** Throws `conflict` if there would be no owner without this user. */
export async function requireOtherOwner(
  { users }: { users: Pick<UserReads, 'hasOwner'> },
  { id, name, role, disabledAt }: UserRecord,
): Promise<void> {
  if (role !== 'owner' || disabledAt !== null || (await users.hasOwner(id))) return;
  throw new AppError('conflict', `${name} is the only owner. Make someone else an owner first.`);
}
