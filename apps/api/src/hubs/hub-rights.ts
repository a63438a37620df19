import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { HubListing } from '../store/store.ts';
import { findHub } from './find-hub.ts';

type RightsDeps = Pick<Deps, 'store'>;

/**
 * The Hub, if the caller may read it and work in it: he belongs to it, or is the local admin. Others learn nothing of it;
 * an admin, who sees it in the list of Hubs, is told how to get in.
 */
export async function readableHub({ store }: RightsDeps, caller: Caller, hubId: string | null): Promise<HubListing> {
  const hub = hubId === null ? null : await store.hubs.find(hubId);
  if (!hub || hub.deletedAt !== null) throw new AppError('not_found', notFound('Hub', hubId));
  if (await isReader({ store }, caller, hub.id)) return hub;
  if (isAdmin(caller)) throw notMember(hub.name);
  throw new AppError('not_found', notFound('Hub', hubId));
}

/** The Hub, if the caller may know of it: whoever reads it, and admins, who manage also those that were deleted. */
export async function visibleHub({ store }: RightsDeps, caller: Caller, hubId: string | null): Promise<HubListing> {
  return isAdmin(caller) ? findHub({ store }, hubId) : readableHub({ store }, caller, hubId);
}

/** Whether the caller may read this Hub, which is there. */
export async function isReader({ store }: RightsDeps, { user }: Caller, hubId: string): Promise<boolean> {
  return user === null || (await store.memberships.find(hubId, user.id)) !== null;
}

/** The ids of all live Hubs that the caller may read. */
export async function readableHubIds({ store }: RightsDeps, { user }: Caller): Promise<string[]> {
  if (user !== null) return store.memberships.listHubIds(user.id);
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await store.hubs.list({ limit: 1_000, before, filter: 'live' });
    ids.push(...page.map((hub) => hub.id));
    if (page.length < 1_000) return ids;
    before = page.at(-1)?.id;
  }
}

export function notMember(hubName: string): AppError {
  return new AppError(
    'forbidden',
    `You administer the Hub "${hubName}", but do not belong to it, and only its members read it. Add yourself to its members first.`,
  );
}
