import { type Hub, LIMITS, type PerKind } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { HubListing } from '../storage/hub-store.ts';
import { readState } from './mark-read.ts';

/** The caller's membership and read state in a Hub. */
export interface CallerHubState {
  isMember: boolean;
  readSeq: number | null;
  readSeqs: PerKind<number> | null;
  isMuted: boolean | null;
  unreadCount: number | null;
  unreadCounts: PerKind<number> | null;
  unreadMentionIds: string[] | null;
}

/** The state of callers who are not members, including the local admin, who may read every Hub. */
export const NON_MEMBER_STATE: CallerHubState = {
  isMember: false,
  readSeq: null,
  readSeqs: null,
  isMuted: null,
  unreadCount: null,
  unreadCounts: null,
  unreadMentionIds: null,
};

/** Returns a Hub as API responses show it. */
export function hubView(hub: HubListing, state: CallerHubState = NON_MEMBER_STATE): Hub {
  return {
    id: hub.id,
    name: hub.name,
    conversationId: hub.conversationId,
    notesBucketId: hub.notesBucketId,
    todosBucketId: hub.todosBucketId,
    createdAt: isoTime(hub.createdAt),
    deletedAt: isoTimeOrNull(hub.deletedAt),
    retentionDays: hub.retentionDays,
    seq: hub.seq,
    ...state,
  };
}

/** Returns a Hub as this caller sees it: whether they are a member, and what they have not read. */
export async function hubForCaller(deps: Pick<Deps, 'store'>, caller: Caller, hub: HubListing): Promise<Hub> {
  return hubView(hub, await callerStateOf(deps, caller, hub.id));
}

async function callerStateOf({ store }: Pick<Deps, 'store'>, { user }: Caller, hubId: string): Promise<CallerHubState> {
  const membership = user === null ? null : await store.memberships.find(hubId, user.id);
  if (!membership) return NON_MEMBER_STATE;
  const { personId } = membership;
  return {
    isMember: true,
    isMuted: await store.notifications.isMuted(personId, hubId),
    ...(await readState({ store }, membership)),
    unreadMentionIds: await store.mentions.unreadIds({ personId, hubId, limit: LIMITS.unreadCount }),
  };
}

/** Counts the keys that can post into a Hub; null if the caller may not manage keys. */
export async function countKeys(deps: Deps, caller: Caller, hubId: string): Promise<number | null> {
  if (!isAdmin(caller) && !(await deps.store.workspace.find()).membersManageKeys) return null;
  return deps.store.hubs.countKeys(hubId, deps.clock.now(), LIMITS.hubCount);
}
