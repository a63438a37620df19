import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import type { AvatarRecord } from '../storage/avatar-store.ts';
import { viewerIdOf } from './list-avatars.ts';

/** Returns the avatar of a user or the bot, or throws `not_found`, which does not reveal whether the user exists. */
export async function findAvatar(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  ownerId: string | null,
): Promise<AvatarRecord> {
  const found = ownerId === null ? null : await store.avatars.find({ ownerId, viewerId: viewerIdOf(caller) });
  if (!found) throw new AppError('not_found', `There is no avatar for ${printable(ownerId ?? 'that')}.`);
  return found;
}
