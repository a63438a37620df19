import type { AvatarRef } from '@hub/contract';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { AvatarOwner } from './avatar-owner.ts';
import { avatarRef } from './avatar-ref.ts';

/** Removes the avatar of a user or the bot. */
export async function removeAvatar(
  deps: Pick<Deps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  owner: AvatarOwner,
): Promise<AvatarRef> {
  const audit = auditRecord(deps, caller, { ...owner.audited, details: { to: { picture: null } } });
  const removed = await deps.store.avatars.remove({ ownerId: owner.id, audit, actingUser: actingUserOf(caller) });
  if (!removed) throw new AppError('not_found', 'There is no avatar to remove.');
  return avatarRef(removed, owner.kind);
}
