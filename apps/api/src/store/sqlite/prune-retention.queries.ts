import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { RetentionSurvey } from '../prune-store.ts';
import type { Db } from './database.ts';
import { DAY_MS, type PruneBounds, type Pruned } from './prune-bounds.ts';
import type { PastErasure } from './prune-past.queries.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';

/** Replies too: one may be older than the message above it, if a clock was ahead. */
const KINDS = ['message', 'note', 'todo', 'reply'] as const;

/** Rows looked at in one transaction: some 4 ms in a large database. */
const LOOKED_AT = 2_000;
/** Of more than these, the oldest are erased first, and then the Hub is looked through again. They are sorted in one step. */
const MAX_PAST = 10_000;

/**
 * Erases what is older than its Hub keeps. The order of commit is not that of time, since a clock may have been ahead or set
 * back: so each Hub is looked through as a whole, some rows at a time, before its oldest items go. Each function runs inside
 * a transaction of the writer.
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
  const look = db
    .select({ rank: items.rank, createdAt: items.createdAt })
    .from(items)
    // In the very words of the index `items_by_hub`, which SQLite does not use otherwise.
    .where(
      sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')}
        and (${items.deletedAt} is null or ${items.replyCount} > 0) and ${items.rank} > ${sql.placeholder('rank')}`,
    )
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();

  /** Goes on where the survey stands. */
  const lookFurther = (survey: RetentionSurvey): RetentionSurvey => {
    const past = [...survey.past];
    let { kind, rank, bound } = survey;
    for (let room = LOOKED_AT; room > 0; ) {
      const name = KINDS[kind];
      if (name === undefined) break;
      const rows = look.all({ hubId: survey.hubId, kind: name, rank, limit: room });
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
    if (!hub) return { erased: 0, next: { setup: 'deleted', deletedAt: 0, rank: 0 } };
    const nextOne = { setup: 'retention', afterHubId: hub.id } as const;
    const cutoff = now - (hub.retentionDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
    // Somebody has changed it since: the next run sees.
    if (former && former.cutoff !== cutoff) return { erased: 0, next: nextOne };
    const survey = former ?? begin(hub.id, cutoff);
    if (survey.kind < KINDS.length) {
      const further = lookFurther(survey);
      if (further.kind < KINDS.length) return { erased: 0, next: { setup: 'retention', afterHubId, survey: further } };
      return eraseFrom(further);
    }
    return eraseFrom(survey);

    function eraseFrom(whole: RetentionSurvey): Pruned {
      if (whole.past.length === 0) {
        const again = whole.bound < cutoff ? begin(whole.hubId, cutoff) : undefined;
        return { erased: 0, next: again ? { setup: 'retention', afterHubId, survey: again } : nextOne };
      }
      const { erased, left } = eraseOldest(whole, { now, limit });
      return { erased, next: { setup: 'retention', afterHubId, survey: { ...whole, past: left } } };
    }
  };
}
