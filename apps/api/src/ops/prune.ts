import { LIMITS } from '@hub/contract';
import type { Clock, Log } from '../platform/ports.ts';
import { repeat } from '../platform/repeat.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { Store } from '../storage/store.ts';
import { type PruneBounds, pruneRetention, type RetentionPosition } from './prune-retention.ts';

/** The first run begins late, so that it does not slow down the start of the server. */
const PAUSES = { firstAfterMs: 15_000, everyMs: HOUR_MS, retryMs: 5 * 60_000 } as const;
const REST_MS = 20;

type PruneStore = Pick<Store, 'transaction' | 'contents'>;

/** Prunes every hour. Only one of several nodes does. Returns what stops it after the step that runs. */
export function pruneRegularly(deps: { store: PruneStore; clock: Clock; log: Log }, isLeader?: () => boolean) {
  const failure = 'Failed to delete expired data; retrying';
  return repeat(deps, { ...PAUSES, isLeader, failure }, async (isStopped) => {
    const rows = await prune(deps, { restMs: REST_MS, isStopped });
    if (rows > 0) deps.log.info({ rows }, 'Deleted expired data');
  });
}

/** Rows erased in one transaction. Few, since posts wait: in a large table, each writes several pages of its own. */
const CHUNK_ROWS = 50;
/** Minimum pause after each step, as a multiple of its duration: posts come first, and expired data can wait. */
const RESTS_PER_STEP = 2;
/** Number of Hubs examined in one transaction; most have no events to erase. */
const HUBS_AT_A_TIME = 200;
/** How long a search index that is not running can lag behind and still catch up; after that, it is rebuilt. */
const TOUCHED_KEPT_DAYS = 7;

/** How long mails that were given up are counted in the status. */
const MAILS_KEPT_MS = 7 * DAY_MS;

/** The progress of a pruning run. */
export type PruneStep =
  /** Events that can no longer be replayed, Hub by Hub. */
  | { phase: 'events'; afterHubId: string }
  /** Items past their Hub's retention period, Hub by Hub. */
  | ({ phase: 'retention' } & RetentionPosition)
  /** Items deleted long ago, in the order of deletion. */
  | { phase: 'deleted'; deletedAt: number; globalSeq: number }
  /** Changes recorded for the search index. */
  | { phase: 'touched' };

export const FIRST_PRUNE_STEP: PruneStep = { phase: 'events', afterHubId: '' };

/** `next` is `null` when the run is finished. */
interface Pruned {
  erased: number;
  next: PruneStep | null;
}

interface PruneOptions {
  /** Minimum pause after each transaction, even if it erased nothing: leaves time for posts. */
  restMs?: number;
  /** Checked after each transaction, so that stopping the server does not wait for the end of the run. */
  isStopped?: () => boolean;
}

/**
 * Erases all that has expired: events, items, sessions, links and records of the search index. Each step is a small
 * transaction, and the next run continues an interrupted one. Returns the number of erased rows.
 */
export async function prune(
  { store, clock }: { store: PruneStore; clock: Clock },
  { restMs = 0, isStopped = () => false }: PruneOptions = {},
): Promise<number> {
  const now = clock.now();
  let erased = 0;
  let step: PruneStep | null = FIRST_PRUNE_STEP;
  while (step !== null && !isStopped()) {
    const start = clock.monotonic();
    const current: PruneStep = step;
    const done: Pruned = await store.transaction((tx) => pruneStep(tx, current, { now, limit: CHUNK_ROWS }));
    erased += done.erased;
    step = done.next;
    const took = clock.monotonic() - start;
    if (restMs > 0 && step !== null) await clock.sleep(Math.max(restMs, took * RESTS_PER_STEP));
  }
  if (!isStopped()) {
    await store.transaction(async ({ sessions, deviceLogins, links, mails }) => {
      await sessions.deleteExpired(now);
      await deviceLogins.deleteExpired(now);
      await links.deleteExpired(now);
      await mails.deleteGivenUp(now - MAILS_KEPT_MS);
    });
    erased += await eraseFiles(store, { now, isStopped });
  }
  return erased;
}

/** How long after the last moment to attach a file it is erased: clocks of nodes differ. */
const FILE_MARGIN_MS = HOUR_MS;

/** Erases files that no item has. The bytes go first, so that none are left without a row. */
async function eraseFiles(
  { transaction, contents }: PruneStore,
  { now, isStopped }: { now: number; isStopped: () => boolean },
): Promise<number> {
  const before = now - LIMITS.unattachedFileHours * HOUR_MS - FILE_MARGIN_MS;
  let erased = 0;
  for (;;) {
    const rows = await transaction(({ files }) => files.listUnattached(before, CHUNK_ROWS));
    if (rows.length === 0 || isStopped()) break;
    await contents.delete(rows.map(({ id }) => id));
    await transaction(({ files }) => files.remove(rows));
    erased += rows.length;
  }
  await contents.eraseUnknown(before);
  return erased;
}

/** Runs one step in a transaction, and returns the next one. */
export async function pruneStep(tx: Repositories, step: PruneStep, bounds: PruneBounds): Promise<Pruned> {
  if (step.phase === 'events') return pruneEvents(tx, step, bounds);
  if (step.phase === 'deleted') return pruneDeleted(tx, step, bounds);
  if (step.phase === 'touched') return pruneTouched(tx, bounds);
  const { erased, next } = await pruneRetention(tx, step, bounds);
  return { erased, next: next ? { phase: 'retention', ...next } : { phase: 'deleted', deletedAt: 0, globalSeq: 0 } };
}

/** The newest event of a Hub stays, regardless of its age: it holds the current sequence number. */
async function pruneEvents(
  tx: Repositories,
  { afterHubId }: { afterHubId: string },
  { now, limit }: PruneBounds,
): Promise<Pruned> {
  const cutoff = now - LIMITS.eventRetentionDays * DAY_MS;
  const hubs = await tx.pruning.listHubEvents(afterHubId, HUBS_AT_A_TIME);
  let [erased, done] = [0, afterHubId];
  for (const { hubId, newestSeq, oldestAt } of hubs) {
    if (oldestAt !== null && oldestAt < cutoff) {
      erased += await tx.pruning.eraseEvents({ hubId, newestSeq, cutoff, limit: limit - erased });
      // This Hub may have more events to erase.
      if (erased >= limit) return { erased, next: { phase: 'events', afterHubId: done } };
    }
    done = hubId;
  }
  const isLast = hubs.length < HUBS_AT_A_TIME;
  return { erased, next: isLast ? { phase: 'retention', afterHubId: '' } : { phase: 'events', afterHubId: done } };
}

/** Erases items that were deleted long ago or are past the retention. An item with replies keeps its bare row. */
async function pruneDeleted(
  tx: Repositories,
  position: { deletedAt: number; globalSeq: number },
  { now, limit }: PruneBounds,
): Promise<Pruned> {
  const rows = await tx.pruning.listDeleted(position, limit);
  const longAgo = now - LIMITS.deletedKeptDays * DAY_MS;
  const past = rows.filter(
    ({ deletedAt, createdAt, retentionDays }) =>
      deletedAt < longAgo || (retentionDays !== null && createdAt < now - retentionDays * DAY_MS),
  );
  const erasable = past.filter(({ replyCount }) => replyCount === 0);
  const blanks = past.filter(({ replyCount, isBlank }) => replyCount > 0 && !isBlank);
  await tx.pruning.eraseItems(erasable, now);
  await tx.pruning.eraseContents(blanks);
  const last = rows.at(-1);
  const isLast = last === undefined || rows.length < limit;
  return {
    erased: erasable.length + blanks.length,
    next: isLast ? { phase: 'touched' } : { phase: 'deleted', deletedAt: last.deletedAt, globalSeq: last.globalSeq },
  };
}

async function pruneTouched(tx: Repositories, { now, limit }: PruneBounds): Promise<Pruned> {
  const erased = await tx.pruning.eraseTouched({ cutoff: now - TOUCHED_KEPT_DAYS * DAY_MS, limit });
  return { erased, next: erased < limit ? null : { phase: 'touched' } };
}
