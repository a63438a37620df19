import type { AvatarRef, AvatarType } from '@hub/contract';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { AvatarOwner } from './avatar-owner.ts';
import { avatarRef } from './avatar-ref.ts';
import { versionOf } from './avatar-version.ts';

/** Sets the avatar of a user or the bot, replacing an earlier one. */
export async function setAvatar(
  deps: Pick<Deps, 'store' | 'clock' | 'newId'>,
  caller: Caller,
  owner: AvatarOwner,
  { type, bytes }: { type: AvatarType; bytes: Uint8Array },
): Promise<AvatarRef> {
  const avatar = { ownerId: owner.id, version: versionOf(bytes), type, bytes };
  const audit = auditRecord(deps, caller, { ...owner.audited, details: { to: { picture: avatar.version } } });
  await deps.store.avatars.set({ avatar, audit, actingUser: actingUserOf(caller) });
  return avatarRef(avatar, owner.kind);
}
