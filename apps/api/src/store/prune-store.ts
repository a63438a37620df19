/** What was found in a Hub of which nothing, or not all, was erased yet. */
export interface RetentionSurvey {
  hubId: string;
  /** Older is past its time. */
  cutoff: number;
  /** Everything that is older than this, and was looked at, is in `past`. It is the cutoff unless those were too many. */
  bound: number;
  /** Which kind of items is looked through, and behind which rank it goes on. */
  kind: number;
  rank: number;
  /** When each was made, and its rank; once all was looked at, the oldest first. */
  past: [createdAt: number, rank: number][];
}

/** How far a run of pruning has come. */
export type PruneStep =
  /** Events that nobody can replay any more, Hub by Hub. */
  | { setup: 'events'; afterHubId: string }
  /** What is older than its Hub keeps, Hub by Hub: the next one, or the one that is being looked through. */
  | { setup: 'retention'; afterHubId: string; survey?: RetentionSurvey | undefined }
  /** What was deleted long ago, in the order of its deletion. */
  | { setup: 'deleted'; deletedAt: number; rank: number }
  /** Notes for the search index. */
  | { setup: 'touched' };

export const FIRST_PRUNE_STEP: PruneStep = { setup: 'events', afterHubId: '' };

export interface PruneStore {
  /**
   * Erases what is past its time, at most about `limit` rows of it. Returns how many those were, and where to go on; `null`:
   * that was all. See `ops/prune.ts`.
   */
  prune(input: { step: PruneStep; now: number; limit: number }): Promise<{ erased: number; next: PruneStep | null }>;
}
