import type { Role } from '@hub/contract';
import type { Caller } from '../actor.ts';
import { Refusal } from '../errors.ts';

/** Owners and the local admin may make owners and change them; admins may not. */
export function mayTouchOwners({ person }: Pick<Caller, 'person'>): boolean {
  return person === null || person.role === 'owner';
}

/** Refuses to let an admin make an owner, by whatever way. */
export function requireMayGiveRole(caller: Pick<Caller, 'person'>, role: Role | undefined): void {
  if (role !== 'owner' || mayTouchOwners(caller)) return;
  throw new Refusal('forbidden', 'Only owners make somebody an owner. Ask one of them, or choose another role.');
}
