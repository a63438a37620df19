/**
 * Work that rides along with the batches of the writer: it may add to a batch before its commit, and learns whether that
 * batch was committed. All of it is synchronous and inside the writer, so a rider sees the writes in their order.
 */
export interface BatchRider {
  markSavepoint(): void;
  /** Forget what came after the last savepoint. */
  rollbackToSavepoint(): void;
  /** In the transaction, after its last write. */
  beforeCommit(): void;
  committed(): void;
  /** The batch is lost: forget what came in it, and take back what `beforeCommit` did. */
  rolledBack(): void;
}
