import type { Clock } from '../ports.ts';
import { FIRST_PRUNE_STEP, type PruneStep } from '../store/prune-store.ts';
import type { Store } from '../store/store.ts';

/** Rows erased in one transaction: some 5 ms in a large database, for which posts wait. */
const CHUNK_ROWS = 200;

export interface PruneOptions {
  /** After each transaction, also one that only looked for what is to be erased: leaves room for posts. */
  restMs?: number;
  /** Asked after each transaction, so that a server that stops need not wait for the end. */
  isStopped?: () => boolean;
}

/**
 * Erases all that is past its time: events that nobody can replay any more, items that are older than their Hub keeps, what
 * was deleted some weeks ago, sessions and links that have ended, and notes that the search index has followed. Each step
 * is a small transaction, and a run that is cut off is taken up by the next one. Returns how many rows it has erased.
 */
export async function prune(
  { store, clock }: { store: Pick<Store, 'items' | 'people'>; clock: Clock },
  { restMs = 0, isStopped = () => false }: PruneOptions = {},
): Promise<number> {
  const now = clock.now();
  let erased = 0;
  let step: PruneStep | null = FIRST_PRUNE_STEP;
  while (step !== null && !isStopped()) {
    const done: Awaited<ReturnType<Store['items']['prune']>> = await store.items.prune({
      step,
      now,
      limit: CHUNK_ROWS,
    });
    erased += done.erased;
    step = done.next;
    if (restMs > 0 && step !== null) await clock.sleep(restMs);
  }
  if (!isStopped()) await store.people.prune(now);
  return erased;
}
