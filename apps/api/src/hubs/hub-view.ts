import type { Hub, PerKind } from '@hub/contract';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import type { HubListing } from '../storage/hub-store.ts';

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
