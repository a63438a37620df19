import type { Role } from '@hub/contract';
import { AppError } from '../platform/errors.ts';
import type { Reads } from '../storage/repositories.ts';
import type { UserRecord } from '../storage/users.ts';
import { type Caller, isAdmin } from './caller.ts';

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

/** Throws `forbidden` for a token. A leaked one could otherwise make an admin, who then locks its owner out. */
function rejectToken({ credential }: Pick<Caller, 'credential'>): void {
  if (credential.kind !== 'token') return;
  throw new AppError(
    'forbidden',
    "Personal access tokens cannot create or change admins and owners. Sign in to the web app, or use hubctl on the server's machine.",
  );
}

/** Throws `forbidden` if an admin tries to change an owner, or a token an admin or owner. */
export function requireMayTouch(caller: Pick<Caller, 'user' | 'credential'>, { name, role }: UserRecord): void {
  if (role !== 'member') rejectToken(caller);
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', `${name} is an owner. Only another owner can do this. Ask an owner.`);
}

/** Throws `forbidden` if an admin tries to grant the owner role by any means, or a token that of an admin or owner. */
export function requireMayGrantRole(caller: Pick<Caller, 'user' | 'credential'>, role: Role | undefined): void {
  if (role !== undefined && role !== 'member') rejectToken(caller);
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new AppError('forbidden', 'Only owners can grant the owner role. Ask an owner, or choose another role.');
}

/** Throws `conflict` if there would be no owner without this user. */
export async function requireOtherOwner(
  { users }: { users: Pick<Reads['users'], 'hasOwner'> },
  { id, name, role, disabledAt }: UserRecord,
): Promise<void> {
  if (role !== 'owner' || disabledAt !== null || (await users.hasOwner(id))) return;
  throw new AppError('conflict', `${name} is the only owner. Make someone else an owner first.`);
}

/** How long a password counts as confirmed. */
export const CONFIRMED_MS = 15 * 60 * 1000;

/**
 * Throws `forbidden` in a session in which the password was last entered more than 15 minutes ago. It guards what could
 * give lasting access to anyone at an unlocked browser. Operations that always do so declare it (`confirmation:
 * 'always'`).
 */
export async function requireConfirmed(
  { users }: { users: Pick<Reads['users'], 'passwordGivenAt' | 'findPasswordHash'> },
  { credential, user }: Pick<Caller, 'credential' | 'user'>,
  now: number,
): Promise<void> {
  if (credential.kind !== 'session') return;
  const givenAt = await users.passwordGivenAt(credential.id);
  if (givenAt !== null && now - givenAt <= CONFIRMED_MS) return;
  const hasPassword = user === null || (await users.findPasswordHash(user.id)) !== '';
  throw new AppError(
    'forbidden',
    hasPassword
      ? 'Confirm your password first: you last entered it more than 15 minutes ago. Nothing was changed.'
      : 'Sign in again first: you last did more than 15 minutes ago. Nothing was changed.',
    // Marks the error that a confirmation resolves, so that a page does not have to parse its message.
    { 'hub-confirmation': hasPassword ? 'password' : 'provider' },
  );
}
