import type { PruneStep } from '../prune-store.ts';

export interface PruneInput {
  step: PruneStep;
  now: number;
  limit: number;
}

/** What a stage is given, beside the place where it goes on. */
export type PruneBounds = Pick<PruneInput, 'now' | 'limit'>;

export interface Pruned {
  erased: number;
  next: PruneStep | null;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
