/** How far a run of pruning has come. */
export type PruneStep =
  /** Events that nobody can replay any more, Hub by Hub. */
  | { stage: 'events'; afterHubId: string }
  /** What is older than its Hub keeps, Hub by Hub. */
  | { stage: 'retention'; afterHubId: string }
  /** What was deleted long ago, in the order of its deletion. */
  | { stage: 'deleted'; deletedAt: number; rank: number }
  /** Notes for the search index. */
  | { stage: 'touched' };

export const FIRST_PRUNE_STEP: PruneStep = { stage: 'events', afterHubId: '' };

export interface PruneStore {
  /**
   * Erases what is past its time, at most about `limit` rows of it. Returns how many those were, and where to go on; `null`:
   * that was all. See `ops/prune.ts`.
   */
  prune(input: { step: PruneStep; now: number; limit: number }): Promise<{ erased: number; next: PruneStep | null }>;
}
