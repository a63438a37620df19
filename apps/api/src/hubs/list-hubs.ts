import { type Hub, LIMITS } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import type { HubFilter, HubListing } from '../storage/hub-store.ts';
import { countKeys, hubForCaller } from './hub-view.ts';

interface ListHubsInput extends PageRequest {
  filter: HubFilter;
  /** Only Hubs that the caller is a member of. Callers who are not admins never see others. */
  isOwnOnly: boolean;
  /** Whether each Hub includes the number of its members and keys. */
  hasCounts: boolean;
}

/** Returns a page of Hubs, newest first: all Hubs for admins, their own for everyone else. */
export async function listHubs(
  deps: Deps,
  caller: Caller,
  { limit, before, filter, isOwnOnly, hasCounts }: ListHubsInput,
): Promise<Page<Hub>> {
  if (!isAdmin(caller) && filter !== 'live') {
    throw new AppError('forbidden', 'Only admins can see deleted Hubs. Ask an admin.');
  }
  if (isOwnOnly && caller.user === null) {
    throw new AppError('forbidden', 'The local admin has no user account and is not a member of any Hub.');
  }
  const memberId = isOwnOnly || !isAdmin(caller) ? caller.user?.id : undefined;
  const hubs = await deps.store.hubs.list({ limit: limit + 1, before, filter, memberId });
  const page = pageOf(hubs, limit);
  const show = async (hub: HubListing): Promise<Hub> => ({
    ...(await hubForCaller(deps, caller, hub)),
    ...(hasCounts ? await countsOf(deps, caller, hub.id) : {}),
  });
  return { ...page, items: await Promise.all(page.items.map(show)) };
}

async function countsOf(deps: Deps, caller: Caller, hubId: string): Promise<Pick<Hub, 'memberCount' | 'keyCount'>> {
  const [memberCount, keyCount] = await Promise.all([
    deps.store.hubs.countMembers(hubId, LIMITS.hubCount),
    countKeys(deps, caller, hubId),
  ]);
  return { memberCount, keyCount };
}
