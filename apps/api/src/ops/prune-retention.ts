import { DAY_MS, isoTime } from '../platform/time.ts';
import type { ErasableItem } from '../storage/prune.ts';
import type { Repositories } from '../storage/repositories.ts';
import { appendItemEvent } from '../workspace/items/write-item.ts';

/** Includes replies, because a reply may be older than its parent if a clock was ahead. */
const KINDS = ['message', 'note', 'todo', 'reply'] as const;

/** Rows examined in one transaction: about 4 ms in a large database. */
const ROWS_AT_A_TIME = 2_000;
/** Maximum number of items in a survey, which sorts them in one step. The oldest are erased first, then the next. */
const MAX_PAST = 10_000;

/** The progress of examining one Hub, and the items found there that are not erased yet. */
interface RetentionSurvey {
  hubId: string;
  cutoff: number;
  /** All examined items older than this are in `past`. Equal to the cutoff unless there were too many such items. */
  bound: number;
  /** The kind of items being examined, and the global sequence number after which to continue. */
  kind: number;
  globalSeq: number;
  /** The creation time and global sequence number of each item to erase; sorted, oldest first, once everything has been examined. */
  past: [createdAt: number, globalSeq: number][];
}

/** Where to continue: in the Hub being examined, otherwise in the next one. */
export interface RetentionPosition {
  afterHubId: string;
  survey?: RetentionSurvey | undefined;
}

/** `limit`: about how many rows a step may erase. */
export interface PruneBounds {
  now: number;
  limit: number;
}

/**
 * Erases items past their Hub's retention period, a step per transaction. Since a clock may have been wrong, the order
 * of commits proves no age: each Hub is examined completely before its oldest items are erased. `next` is `null` after
 * the last Hub.
 */
export async function pruneRetention(
  tx: Repositories,
  { afterHubId, survey: former }: RetentionPosition,
  { now, limit }: PruneBounds,
): Promise<{ erased: number; next: RetentionPosition | null }> {
  const hubId = former?.hubId ?? (await tx.pruning.nextHubWithRetention(afterHubId));
  const hub = hubId === null ? null : await tx.hubs.find(hubId);
  if (!hub) return { erased: 0, next: null };
  const cutoff = now - (hub.retentionDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
  // The retention period was changed in the meantime; the next run handles it.
  if (former && former.cutoff !== cutoff) return { erased: 0, next: { afterHubId: hub.id } };
  const begun = { hubId: hub.id, cutoff, bound: cutoff, kind: 0, globalSeq: 0, past: [] };
  const survey = await continueSurvey(tx, former ?? begun);
  if (survey.kind < KINDS.length) return { erased: 0, next: { afterHubId, survey } };
  if (survey.past.length > 0) {
    const { erased, left } = await eraseOldest(tx, survey, { now, limit });
    return { erased, next: { afterHubId, survey: { ...survey, past: left } } };
  }
  return { erased: 0, next: survey.bound < cutoff ? { afterHubId, survey: begun } : { afterHubId: hub.id } };
}

async function continueSurvey(tx: Repositories, survey: RetentionSurvey): Promise<RetentionSurvey> {
  if (survey.kind === KINDS.length) return survey;
  const past = [...survey.past];
  let { kind, globalSeq, bound } = survey;
  for (let room = ROWS_AT_A_TIME; room > 0; ) {
    const name = KINDS[kind];
    if (name === undefined) break;
    const rows = await tx.pruning.listShown({
      hubId: survey.hubId,
      kind: name,
      afterGlobalSeq: globalSeq,
      limit: room,
    });
    for (const row of rows) if (row.createdAt < bound) past.push([row.createdAt, row.globalSeq]);
    [kind, globalSeq] = rows.length < room ? [kind + 1, 0] : [kind, rows.at(-1)?.globalSeq ?? 0];
    room -= rows.length;
  }
  const isDone = kind === KINDS.length;
  if (isDone || past.length > 2 * MAX_PAST) past.sort(([one, first], [other, second]) => one - other || first - second);
  if (past.length > 2 * MAX_PAST || (isDone && past.length > MAX_PAST)) {
    bound = past[MAX_PAST]?.[0] ?? bound;
    past.length = MAX_PAST;
  }
  return { ...survey, kind, globalSeq, bound, past };
}

/**
 * Erases the oldest items of a survey, with all replies to them. One event states the time before which the Hub has no
 * items left. Each erased item that is more recent gets its own event.
 */
async function eraseOldest(tx: Repositories, { hubId, past, bound }: RetentionSurvey, { now, limit }: PruneBounds) {
  const { rows, done } = await takeOldest(tx, past, limit);
  const left = past.slice(done);
  const before = left[0]?.[0] ?? bound;
  await tx.pruning.eraseItems(rows, now);
  const single = rows.filter((row) => row.createdAt >= before && isShown(row));
  for (const { id, kind, deletedAt } of single) {
    const addedItems = deletedAt === null ? -1 : 0;
    await appendItemEvent(tx, { id, hubId, kind }, { change: 'deleted', at: now, addedItems });
  }
  for (const [itemId, count] of lostReplies(rows)) {
    const parent = await tx.items.find(itemId);
    if (!parent) continue;
    await tx.items.countReplies(itemId, -count);
    await appendItemEvent(tx, parent, { change: 'changed', at: now });
  }
  const old = rows.filter(({ createdAt }) => createdAt < before);
  if (old.length > 0) {
    const addedItems = -old.filter(({ deletedAt }) => deletedAt === null).length;
    const data = { before: isoTime(before) };
    await tx.events.append({ hubId, at: now, event: 'items.pruned', itemId: null, data, addedItems });
  }
  return { erased: rows.length, left };
}

/** Returns the items to erase now, in steps for a very long thread, and how many entries of the survey are done. */
async function takeOldest(
  tx: Repositories,
  past: RetentionSurvey['past'],
  limit: number,
): Promise<{ rows: ErasableItem[]; done: number }> {
  const batch = new Map<number, ErasableItem>();
  let done = 0;
  for (; done < past.length && batch.size < limit; done += 1) {
    const row = await tx.pruning.findItem(past[done]?.[1] ?? 0);
    // The item was erased with its parent, or is no longer in any list.
    if (!row || !isShown(row)) continue;
    const room = limit - batch.size;
    const replies = row.kind !== 'reply' ? await tx.pruning.listReplies(row.id, room) : [];
    for (const reply of replies) batch.set(reply.globalSeq, reply);
    if (replies.length === room) break;
    batch.set(row.globalSeq, row);
  }
  return { rows: [...batch.values()], done };
}

/** Whether lists show the item: deleted messages stay while they have replies. */
function isShown({ kind, deletedAt, replyCount }: ErasableItem): boolean {
  return deletedAt === null || (kind === 'message' && replyCount > 0);
}

function lostReplies(rows: readonly ErasableItem[]): Map<string, number> {
  const erased = new Set(rows.map(({ id }) => id));
  const lost = new Map<string, number>();
  for (const { parentId, deletedAt } of rows) {
    if (parentId === null || deletedAt !== null || erased.has(parentId)) continue;
    lost.set(parentId, (lost.get(parentId) ?? 0) + 1);
  }
  return lost;
}
