import type { PageRequest } from '../core/paging.ts';
import type { ItemRowKind } from './item-store.ts';

/** The posts made with a key; `fromAt` is inclusive, `toAt` exclusive, `null` means unbounded. */
export interface PostRange {
  keyId: string;
  hubId: string;
  fromAt: number | null;
  toAt: number | null;
}

/** A removal of a key's posts. */
export interface RemovalRecord extends PostRange {
  id: string;
  count: number;
  removedAt: number;
  undoneAt: number | null;
}

/** An item whose deletion or restoration has to be announced. */
export interface RemovedItem {
  rank: number;
  id: string;
  kind: ItemRowKind;
}

interface RemovalReads {
  /** Lists removals, newest first. */
  list(query: PageRequest & { keyId: string }): Promise<RemovalRecord[]>;
  find(removalId: string): Promise<RemovalRecord | null>;
}

export interface RemovalStore extends RemovalReads {
  /**
   * Returns the ranks of the posts in the range that are not deleted, oldest first. Finding them can take long, but
   * other requests are served in between.
   */
  postRanks(range: PostRange): Promise<number[]>;
}

export interface RemovalRepository extends RemovalReads {
  insert(removal: RemovalRecord): Promise<void>;
  update(removalId: string, changes: Partial<Pick<RemovalRecord, 'count' | 'undoneAt'>>): Promise<void>;
  /** Deletes those of the items that are posts by the key and not deleted yet, and returns them, oldest first. */
  deletePosts(
    removal: { removalId: string; keyId: string; at: number },
    ranks: readonly number[],
  ): Promise<RemovedItem[]>;
  /** Restores at most `limit` of the items that this removal deleted, and returns them, oldest first. */
  restorePosts(removal: { removalId: string; at: number }, limit: number): Promise<RemovedItem[]>;
}
