import type { AvatarRef } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../storage/records.ts';
import { avatarRef } from './avatar-ref.ts';

/** Returns a page of the avatars that the caller may see. */
export async function listAvatars(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { limit, before }: PageRequest,
): Promise<Page<AvatarRef>> {
  const [{ botId }, listed] = await Promise.all([
    store.workspace(),
    store.avatars.list({ limit: limit + 1, before, viewerId: viewerIdOf(caller) }),
  ]);
  return pageOf(
    listed.map((each) => avatarRef(each, each.ownerId === botId ? 'bot' : 'person')),
    limit,
  );
}

/** Returns the viewer id for the store; null for admins, who see all. */
export function viewerIdOf(caller: Caller): string | null {
  return isAdmin(caller) ? null : (caller.user?.id ?? null);
}
