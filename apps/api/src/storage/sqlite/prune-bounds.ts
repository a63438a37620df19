import type { PruneStep } from '../prune-store.ts';

export interface PruneInput {
  step: PruneStep;
  now: number;
  limit: number;
}

/** The input of a pruning step, besides its position. */
export type PruneBounds = Pick<PruneInput, 'now' | 'limit'>;

export interface Pruned {
  erased: number;
  next: PruneStep | null;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
