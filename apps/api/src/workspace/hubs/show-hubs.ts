import { type Hub, type HubCounts, LIMITS, type RetentionPreview } from '@hub/contract';
import { type Caller, isAdmin } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { DAY_MS, isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { HubFilter, HubListing } from '../../storage/hubs.ts';
import { findHub, readableHub } from './hub-rights.ts';
import { mutedKeyIds, readState } from './mark-read.ts';

type CallerHubState = Pick<Hub, keyof typeof NON_MEMBER_STATE>;

/** The state of callers who are not members, including the local admin, who may read every Hub. */
const NON_MEMBER_STATE = {
  isMember: false,
  readSeq: null,
  readSeqs: null,
  readVersion: null,
  isMuted: null,
  mutedKeyIds: null,
  isFavorite: null,
  pinnedIds: null,
  unreadCount: null,
  unreadCounts: null,
  unreadMentionIds: null,
};

/** Returns a Hub as API responses show it, with its state for a caller. */
export function hubView<State extends Partial<CallerHubState>>(hub: HubListing, state: State) {
  const { id, name, topic, conversationId, notesBucketId, todosBucketId, retentionDays, seq } = hub;
  const times = { createdAt: isoTime(hub.createdAt), deletedAt: isoTimeOrNull(hub.deletedAt) };
  return { id, name, topic, conversationId, notesBucketId, todosBucketId, ...times, retentionDays, seq, ...state };
}

/** Returns a Hub as this caller sees it: whether they are a member, and what they have not read. */
export async function hubForCaller(deps: Deps, caller: Caller, hub: HubListing): Promise<Hub> {
  return hubView(hub, await callerStateOf(deps, caller, hub.id));
}

export async function pinnedIds({ store }: Pick<Deps, 'store'>, hubId: string): Promise<string[]> {
  return (await store.pins.list(hubId)).map(({ itemId }) => itemId);
}

async function callerStateOf({ store }: Deps, { user }: Caller, hubId: string): Promise<CallerHubState> {
  const membership = user === null ? null : await store.memberships.find(hubId, user.id);
  if (!membership) return NON_MEMBER_STATE;
  const { userId, isFavorite } = membership;
  const muted = await mutedKeyIds(store, userId, hubId);
  return {
    isMember: true,
    isMuted: await store.notifications.isMuted(userId, hubId),
    mutedKeyIds: muted,
    isFavorite,
    pinnedIds: await pinnedIds({ store }, hubId),
    ...(await readState(store, membership, muted)),
    unreadMentionIds: await store.mentions.unreadIds({ userId, hubId, limit: LIMITS.unreadCount }),
  };
}

/** Counts the keys that can post into a Hub; null if the caller may not manage keys. */
async function countKeys(deps: Deps, caller: Caller, hubId: string): Promise<number | null> {
  if (!isAdmin(caller) && !(await deps.store.workspace.find()).membersManageKeys) return null;
  return deps.store.hubs.countKeys(hubId, deps.clock.now(), LIMITS.hubCount);
}

interface ListHubsInput extends PageRequest {
  filter: HubFilter;
  /** Only Hubs that the caller is a member of. Callers who are not admins never see others. */
  isOwnOnly: boolean;
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

/** Counts the members, keys, notes and open to-dos of a Hub. */
export async function countHub(deps: Deps, caller: Caller, hubId: string): Promise<HubCounts> {
  const hub = await readableHub(deps.store, caller, hubId);
  const [contents, keys] = await Promise.all([
    deps.store.hubs.countContents(hub.id, LIMITS.hubCount),
    countKeys(deps, caller, hub.id),
  ]);
  return { hubId: hub.id, ...contents, keys };
}

/** Counts the items of a Hub that a retention period of `retentionDays` would remove now. */
export async function previewRetention(deps: Deps, hubId: string, retentionDays: number): Promise<RetentionPreview> {
  const hub = await findHub(deps.store, hubId);
  const items = await deps.store.hubs.countOlder(hub.id, deps.clock.now() - retentionDays * DAY_MS, LIMITS.hubCount);
  return { hubId: hub.id, retentionDays, items };
}
