import type { Clock } from '../ports.ts';
import { FIRST_PRUNE_STEP, type PruneStep } from '../storage/prune-store.ts';
import type { Store } from '../storage/store.ts';

/**
 * Rows erased in one transaction. Few, because a transaction delays posts: with a million items, each row is on its own
 * page of the table and of several indexes, and all of these pages are written.
 */
const CHUNK_ROWS = 50;
/** Minimum pause after each step, as a multiple of its duration: posts come first, and expired data can wait. */
const RESTS_PER_STEP = 2;

export interface PruneOptions {
  /** Minimum pause after each transaction, even if it erased nothing: leaves time for posts. */
  restMs?: number;
  /** Checked after each transaction, so that stopping the server does not wait for the end of the run. */
  isStopped?: () => boolean;
}

/**
 * Erases everything that has expired: events that can no longer be replayed, items past the retention period of their
 * Hub, items deleted weeks ago, ended sessions and links, and processed records of the search index. Each step is a
 * small transaction, and the next run continues an interrupted one. Returns the number of erased rows.
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
