import type { AvatarRef } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { printable } from '../core/printable.ts';
import type { AvatarRecord } from '../storage/avatar-store.ts';

/** Returns a page of the avatars that the caller may see. */
export async function listAvatars(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { limit, before }: PageRequest,
): Promise<Page<AvatarRef>> {
  const [{ botId }, listed] = await Promise.all([
    store.workspace.find(),
    store.avatars.list({ limit: limit + 1, before, viewerId: viewerIdOf(caller) }),
  ]);
  return pageOf(
    listed.map(({ ownerId, version }) => ({ id: ownerId, kind: ownerId === botId ? 'bot' : 'person', version })),
    limit,
  );
}

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

/** Returns the viewer id for the store; null for admins, who see all. */
function viewerIdOf(caller: Caller): string | null {
  return isAdmin(caller) ? null : (caller.user?.id ?? null);
}
