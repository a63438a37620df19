import type { AuditRecord } from './audit-store.ts';

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

/**
 * Removes posts made with a key, and undoes removals. Both run in many small transactions, so that posting continues in
 * the meantime. At any time, each item is in either its old or its new state, with its event. If the server stops
 * partway through, the recorded progress of the removal is kept and it can be undone; an undo can be repeated.
 */
export interface RemovalStore {
  /** Counts the items that a removal would delete, excluding those already deleted. */
  countPosts(range: PostRange): Promise<number>;
  /**
   * Removes the posts made until now. The audit entry is written in the first transaction and states how many there
   * are. `count` in the result is the number of posts removed: items that a user deleted in the meantime are not
   * included.
   */
  removePosts(input: { removal: RemovalRecord; audit: AuditRecord }): Promise<RemovalRecord>;
  /** Lists removals, newest first. */
  listRemovals(query: { keyId: string; limit: number; before?: string | undefined }): Promise<RemovalRecord[]>;
  findRemoval(removalId: string): Promise<RemovalRecord | null>;
  /**
   * Restores the removed posts that have not been erased. The audit entry is written in the first transaction. Returns
   * `null` if there is no such removal, or it was already undone.
   */
  undoRemoval(change: { removalId: string; at: number; audit: AuditRecord }): Promise<RemovalRecord | null>;
}
