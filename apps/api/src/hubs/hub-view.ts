import type { Hub, PerKind } from '@hub/contract';
import type { HubListing } from '../store/store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** How the caller stands to a Hub. */
export interface HubStanding {
  isMember: boolean;
  readSeq: number | null;
  readSeqs: PerKind<number> | null;
  isMuted: boolean | null;
  unreadCount: number | null;
  unreadCounts: PerKind<number> | null;
  unreadMentionIds: string[] | null;
}

/** Of somebody who does not belong to it, and of the local admin, who may read all the same. */
export const NO_MEMBER: HubStanding = {
  isMember: false,
  readSeq: null,
  readSeqs: null,
  isMuted: null,
  unreadCount: null,
  unreadCounts: null,
  unreadMentionIds: null,
};

/** A Hub as it leaves the server. */
export function hubView(hub: HubListing, state: HubStanding = NO_MEMBER): Hub {
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
