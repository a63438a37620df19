import type { AuditRecord } from './audit-store.ts';

/** What a key has posted; `fromAt` is in the range, `toAt` is not, `null` sets no bound. */
export interface PostRange {
  keyId: string;
  hubId: string;
  fromAt: number | null;
  toAt: number | null;
}

/** The removal of what a key has posted. */
export interface RemovalRecord extends PostRange {
  id: string;
  count: number;
  removedAt: number;
  undoneAt: number | null;
}

/**
 * Removing what a key has posted, and undoing it. Both go on in many small transactions, so that posting goes on beside
 * them. In between each item is either as it was or as it will be, with its event; if the server ends in between, the
 * removal tells how far it came, and can be undone; an undo can be asked for again.
 */
export interface RemovalStore {
  /** How many items a removal would take: those of deleted posts are not among them. */
  countPosts(range: PostRange): Promise<number>;
  /**
   * Takes what was posted until now. The audit entry is in the first transaction, and tells how many there are. `count` of
   * the result is how many were taken: what somebody deleted meanwhile stays his.
   */
  removePosts(input: { removal: RemovalRecord; audit: AuditRecord }): Promise<RemovalRecord>;
  /** Newest first. */
  listRemovals(query: { keyId: string; limit: number; before?: string | undefined }): Promise<RemovalRecord[]>;
  findRemoval(removalId: string): Promise<RemovalRecord | null>;
  /**
   * Brings back what the removal has taken, as far as it is kept. The audit entry is in the first transaction. `null`:
   * there is no such removal, or it was undone already.
   */
  undoRemoval(change: { removalId: string; at: number; audit: AuditRecord }): Promise<RemovalRecord | null>;
}
