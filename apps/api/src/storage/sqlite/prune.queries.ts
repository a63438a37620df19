import type { PruneStore } from '../prune-store.ts';
import type { Db } from './engine/database.ts';
import { eraseWrites } from './erase.queries.ts';
import type { EventWrites } from './events.queries.ts';
import type { PostCounts } from './post-counts.ts';
import type { Pruned, PruneInput } from './prune-bounds.ts';
import { pruneDeleted } from './prune-deleted.queries.ts';
import { pruneLogs } from './prune-logs.queries.ts';
import { pastErasure } from './prune-past.queries.ts';
import { pruneRetention } from './prune-retention.queries.ts';
import type { Writer } from './writes.ts';

interface PruneWriteDeps {
  events: EventWrites;
  counts: PostCounts;
}

/** Runs inside a writer transaction. */
export function pruneWrites(db: Db, { events, counts }: PruneWriteDeps) {
  const erase = eraseWrites(db, counts);
  const logs = pruneLogs(db);
  const retention = pruneRetention(db, pastErasure(db, { events, erase }));
  const deleted = pruneDeleted(db, erase);

  return {
    prune: ({ step, ...bounds }: PruneInput): Pruned => {
      if (step.phase === 'events') return logs.events(step.afterHubId, bounds);
      if (step.phase === 'retention') return retention(step, bounds);
      if (step.phase === 'deleted') return deleted(step, bounds);
      return logs.touched(bounds);
    },
  };
}

export function pruneStore(writer: Writer): PruneStore {
  return { prune: (input) => writer.write('prune', input) };
}
