import type { ItemRowKind } from './item-store.ts';

/** A Hub with the time of the oldest event in its log. */
export interface HubEvents {
  hubId: string;
  newestSeq: number;
  /** `null`: there is no event. */
  oldestAt: number | null;
}

/** An item as pruning sees it. */
export interface ErasableItem {
  rank: number;
  id: string;
  kind: ItemRowKind;
  parentId: string | null;
  createdAt: number;
  deletedAt: number | null;
  replyCount: number;
}

export interface DeletedItem {
  rank: number;
  id: string;
  createdAt: number;
  deletedAt: number;
  replyCount: number;
  /** Whether its content was erased, and only the row is left. */
  isBlank: boolean;
  /** The retention period of its Hub. */
  retentionDays: number | null;
}

/** Erases data that is no longer kept. Which data that is, and how much at a time, is decided by `ops/prune.ts`. */
export interface PruneRepository {
  /** Lists Hubs in the order of their ids. */
  listHubEvents(afterHubId: string, limit: number): Promise<HubEvents[]>;
  /**
   * Erases at most `limit` of the oldest events, up to the last of them that is older than `cutoff`, but only those
   * before the event `newestSeq`. Returns how many were erased.
   */
  eraseEvents(range: { hubId: string; newestSeq: number; cutoff: number; limit: number }): Promise<number>;
  /** Returns the first Hub after this one, in the order of ids, that has a retention period. */
  nextHubWithRetention(afterHubId: string): Promise<string | null>;
  /** Lists the items in a Hub that lists show, in the order of their ranks. */
  listShown(position: {
    hubId: string;
    kind: ItemRowKind;
    afterRank: number;
    limit: number;
  }): Promise<{ rank: number; createdAt: number }[]>;
  findItem(rank: number): Promise<ErasableItem | null>;
  /** Lists the replies to a message, including deleted ones, oldest first. */
  listReplies(messageId: string, limit: number): Promise<ErasableItem[]>;
  /** Lists deleted items in the order of deletion; those deleted at the same time in the order of their ranks. */
  listDeleted(after: { deletedAt: number; rank: number }, limit: number): Promise<DeletedItem[]>;
  /** Erases items with their reactions and mentions. */
  eraseItems(items: readonly Pick<ErasableItem, 'rank' | 'id' | 'deletedAt'>[], at: number): Promise<void>;
  /** Erases the content, reactions and mentions of items, but keeps their rows. */
  eraseContents(items: readonly Pick<ErasableItem, 'rank' | 'id'>[]): Promise<void>;
  /** Subtracts erased replies from the count of their message. Returns false if there is no such message. */
  subtractReplies(messageId: string, count: number): Promise<boolean>;
  /** Erases at most `limit` of the oldest changes recorded for the search index before `cutoff`. */
  eraseTouched(range: { cutoff: number; limit: number }): Promise<number>;
}
