import type { Clock } from '../ports.ts';
import { FIRST_PRUNE_STEP, type PruneStep } from '../store/prune-store.ts';
import type { Store } from '../store/store.ts';

/**
 * Rows erased in one transaction, for which posts wait: of a million items, each lies on pages of its own in a table and several
 * indexes, and all of them are written.
 */
const CHUNK_ROWS = 50;
/** Of the time, so much is left to posts at least: what is past its time can wait a little longer. */
const RESTS_PER_STEP = 2;

export interface PruneOptions {
  /** At least, after each transaction, also one that only looked for what is to be erased: leaves room for posts. */
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
  { store, clock }: { store: Pick<Store, 'items' | 'users'>; clock: Clock },
  { restMs = 0, isStopped = () => false }: PruneOptions = {},
): Promise<number> {
  const now = clock.now();
  let erased = 0;
  let step: PruneStep | null = FIRST_PRUNE_STEP;
  while (step !== null && !isStopped()) {
    const start = clock.monotonic();
    const done: Awaited<ReturnType<Store['items']['prune']>> = await store.items.prune({
      step,
      now,
      limit: CHUNK_ROWS,
    });
    erased += done.erased;
    step = done.next;
    const took = clock.monotonic() - start;
    if (restMs > 0 && step !== null) await clock.sleep(Math.max(restMs, took * RESTS_PER_STEP));
  }
  if (!isStopped()) await store.users.prune(now);
  return erased;
}
