/** The progress of examining one Hub, and the items found there that are not erased yet. */
export interface RetentionSurvey {
  hubId: string;
  /** Items older than this are past the retention period. */
  cutoff: number;
  /** All examined items older than this are in `past`. Equal to the cutoff unless there were too many such items. */
  bound: number;
  /** The kind of items being examined, and the rank after which to continue. */
  kind: number;
  rank: number;
  /** The creation time and rank of each item to erase; sorted, oldest first, once everything has been examined. */
  past: [createdAt: number, rank: number][];
}

/** The progress of a pruning run. */
export type PruneStep =
  /** Events that can no longer be replayed, Hub by Hub. */
  | { phase: 'events'; afterHubId: string }
  /** Items past their Hub's retention period, Hub by Hub: in the next Hub, or the one being examined. */
  | { phase: 'retention'; afterHubId: string; survey?: RetentionSurvey | undefined }
  /** Items deleted long ago, in the order of deletion. */
  | { phase: 'deleted'; deletedAt: number; rank: number }
  /** Changes recorded for the search index. */
  | { phase: 'touched' };

export const FIRST_PRUNE_STEP: PruneStep = { phase: 'events', afterHubId: '' };

export interface PruneStore {
  /**
   * Erases expired rows, at most about `limit` of them. Returns how many were erased and where to continue; `null`
   * when finished. See `ops/prune.ts`.
   */
  prune(input: { step: PruneStep; now: number; limit: number }): Promise<{ erased: number; next: PruneStep | null }>;
}
