import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { RetentionSurvey } from '../prune-store.ts';
import type { Db } from './engine/database.ts';
import { DAY_MS, type PruneBounds, type Pruned } from './prune-bounds.ts';
import type { PastErasure } from './prune-past.queries.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';

/** Includes replies, because a reply may be older than its message if a clock was ahead. */
const KINDS = ['message', 'note', 'todo', 'reply'] as const;

/** Rows examined in one transaction: about 4 ms in a large database. */
const ROWS_AT_A_TIME = 2_000;
/**
 * Maximum number of items in a survey, since they are sorted in one step. If there are more, the oldest are erased
 * first, and then the Hub is examined again.
 */
const MAX_PAST = 10_000;

/**
 * Erases items past their Hub's retention period. Commit order may differ from chronological order, since a clock may
 * have been ahead or set back. So each Hub is examined completely, some rows at a time, before its oldest items are
 * erased. Each function runs inside a writer transaction.
 */
export function pruneRetention(db: Db, eraseOldest: PastErasure) {
  const nextHub = db
    .select({ id: hubs.id, retentionDays: hubs.retentionDays })
    .from(hubs)
    .where(and(gt(hubs.id, sql.placeholder('after')), isNotNull(hubs.retentionDays)))
    .orderBy(asc(hubs.id))
    .limit(1)
    .prepare();
  const hubById = db
    .select({ id: hubs.id, retentionDays: hubs.retentionDays })
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('hubId')))
    .prepare();
  const readRows = db
    .select({ rank: items.rank, createdAt: items.createdAt })
    .from(items)
    // Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index.
    .where(
      sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')}
        and (${items.deletedAt} is null or ${items.replyCount} > 0) and ${items.rank} > ${sql.placeholder('rank')}`,
    )
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();

  /** Continues the survey from its position. */
  const continueSurvey = (survey: RetentionSurvey): RetentionSurvey => {
    const past = [...survey.past];
    let { kind, rank, bound } = survey;
    for (let room = ROWS_AT_A_TIME; room > 0; ) {
      const name = KINDS[kind];
      if (name === undefined) break;
      const rows = readRows.all({ hubId: survey.hubId, kind: name, rank, limit: room });
      for (const row of rows) if (row.createdAt < bound) past.push([row.createdAt, row.rank]);
      [kind, rank] = rows.length < room ? [kind + 1, 0] : [kind, rows.at(-1)?.rank ?? 0];
      room -= rows.length;
    }
    const isDone = kind === KINDS.length;
    if (isDone || past.length > 2 * MAX_PAST)
      past.sort(([one, first], [other, second]) => one - other || first - second);
    if (past.length > 2 * MAX_PAST || (isDone && past.length > MAX_PAST)) {
      bound = past[MAX_PAST]?.[0] ?? bound;
      past.length = MAX_PAST;
    }
    return { ...survey, kind, rank, bound, past };
  };

  const begin = (hubId: string, cutoff: number): RetentionSurvey => ({
    hubId,
    cutoff,
    bound: cutoff,
    kind: 0,
    rank: 0,
    past: [],
  });

  return (
    { afterHubId, survey: former }: { afterHubId: string; survey?: RetentionSurvey | undefined },
    { now, limit }: PruneBounds,
  ): Pruned => {
    const hub = former ? hubById.get({ hubId: former.hubId }) : nextHub.get({ after: afterHubId });
    if (!hub) return { erased: 0, next: { phase: 'deleted', deletedAt: 0, rank: 0 } };
    const nextHubStep = { phase: 'retention', afterHubId: hub.id } as const;
    const cutoff = now - (hub.retentionDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
    // The retention period was changed in the meantime; the next run handles it.
    if (former && former.cutoff !== cutoff) return { erased: 0, next: nextHubStep };
    const survey = former ?? begin(hub.id, cutoff);
    if (survey.kind < KINDS.length) {
      const further = continueSurvey(survey);
      if (further.kind < KINDS.length) return { erased: 0, next: { phase: 'retention', afterHubId, survey: further } };
      return eraseFrom(further);
    }
    return eraseFrom(survey);

    function eraseFrom(whole: RetentionSurvey): Pruned {
      if (whole.past.length === 0) {
        const again = whole.bound < cutoff ? begin(whole.hubId, cutoff) : undefined;
        return { erased: 0, next: again ? { phase: 'retention', afterHubId, survey: again } : nextHubStep };
      }
      const { erased, left } = eraseOldest(whole, { now, limit });
      return { erased, next: { phase: 'retention', afterHubId, survey: { ...whole, past: left } } };
    }
  };
}
