import { type Caller, isAdmin } from '../../access/caller.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { HubListing } from '../../storage/hubs.ts';
import type { Reads } from '../../storage/repositories.ts';
import type { Store } from '../../storage/store.ts';

/** The store, or a transaction. */
export interface RightsReads {
  hubs: Pick<Reads['hubs'], 'find'>;
  memberships: Pick<Reads['memberships'], 'find'>;
}

/**
 * Returns the Hub if the caller may read it and post in it: a member, or the local admin. Others get the `not_found` of
 * an unknown id, or `unknown`, the error for something in the Hub; admins, who see all Hubs in lists, a `forbidden` that
 * says how to join.
 */
export async function readableHub(
  reads: RightsReads,
  caller: Caller,
  hubId: string,
  unknown?: AppError,
): Promise<HubListing> {
  const hub = await reads.hubs.find(hubId);
  if (!hub || hub.deletedAt !== null) throw unknown ?? notFound('Hub', hubId);
  if (await isReader(reads, caller, hub.id)) return hub;
  if (!isAdmin(caller)) throw unknown ?? notFound('Hub', hubId);
  throw new AppError(
    'forbidden',
    `You are not a member of the Hub "${hub.name}". Only members can read it: add yourself as a member first.`,
  );
}

/** Returns the Hub if the caller may know that it exists: its members, and admins, who also manage deleted Hubs. */
export async function visibleHub(reads: RightsReads, caller: Caller, hubId: string): Promise<HubListing> {
  return isAdmin(caller) ? findHub(reads, hubId) : readableHub(reads, caller, hubId);
}

/** Returns whether the caller may read this Hub, which must exist. */
export async function isReader(
  reads: Pick<RightsReads, 'memberships'>,
  { user }: Caller,
  hubId: string,
): Promise<boolean> {
  return user === null || (await reads.memberships.find(hubId, user.id)) !== null;
}

/** Returns the ids of all live Hubs that the caller may read. */
export async function readableHubIds(store: Pick<Store, 'hubs' | 'memberships'>, { user }: Caller): Promise<string[]> {
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

/** Returns the Hub, deleted or not, or throws `not_found`. */
export async function findHub({ hubs }: Pick<RightsReads, 'hubs'>, hubId: string): Promise<HubListing> {
  const hub = await hubs.find(hubId);
  if (!hub) throw notFound('Hub', hubId);
  return hub;
}
