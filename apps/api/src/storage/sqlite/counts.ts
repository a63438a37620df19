import { and, count, eq, gt, isNull, lt, or, sql, sum } from 'drizzle-orm';
import { hubNumber } from '../columns.ts';
import type { HubContents } from '../hub-store.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { items } from '../schema/items.table.ts';
import { memberships } from '../schema/users.table.ts';
import type { Totals } from '../store.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

/** Maximum number of to-dos examined to count the open ones, newest first: a Hub may have very many completed ones. */
const MAX_EXAMINED = 5_000;

/** Maximum number of items of each kind examined, oldest first, to count those past a retention period. */
const MAX_OLDEST_EXAMINED = 2_000;

/** Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = (kind: 'message' | 'note' | 'todo') =>
  sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${kind} and ${inIndex}`;

/** Counts the content of a Hub, as shown in its header. */
export function hubCountReads(db: Db) {
  const limit = sql.placeholder('limit');
  const members = db
    .select({ one: sql`1` })
    .from(memberships)
    .where(eq(memberships.hubId, sql.placeholder('hubId')))
    .limit(limit)
    .as('members');
  const at = sql.placeholder('at');
  const keys = db
    .select({ one: sql`1` })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.hubId, sql.placeholder('hubId')),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
        or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, at)),
      ),
    )
    .limit(limit)
    .as('keys');
  const notes = db.select({ one: sql`1` }).from(items).where(ofKind('note')).limit(limit).as('notes');
  const recent = db
    .select({ status: items.status })
    .from(items)
    .where(ofKind('todo'))
    .orderBy(sql`${items.rank} desc`)
    .limit(MAX_EXAMINED)
    .as('recent');
  const countMembers = prepared(db, () => db.select({ n: sql<number>`count(*)` }).from(members));
  const validKeys = prepared(db, () => db.select({ n: sql<number>`count(*)` }).from(keys));
  const countNotes = prepared(db, () => db.select({ n: sql<number>`count(*)` }).from(notes));
  const countTodos = prepared(db, () =>
    db
      .select({ all: sql<number>`count(*)`, open: sql<number>`count(*) filter (where ${recent.status} = 'open')` })
      .from(recent),
  );

  const olderOf = (kind: 'message' | 'note' | 'todo') => {
    const oldest = db
      .select({ createdAt: items.createdAt })
      .from(items)
      .where(ofKind(kind))
      .orderBy(sql`${items.rank} asc`)
      .limit(MAX_OLDEST_EXAMINED)
      .as('oldest');
    return prepared(db, () =>
      db
        .select({ n: sql<number>`count(*)` })
        .from(oldest)
        .where(lt(oldest.createdAt, sql.placeholder('at'))),
    );
  };
  const olderItems = [olderOf('message'), olderOf('note'), olderOf('todo')];
  const membersOf = (hubId: string, max: number): number => countMembers.get({ hubId, limit: max })?.n ?? 0;

  return {
    countMembers: membersOf,
    countKeys: (hubId: string, now: number, max: number): number =>
      validKeys.get({ hubId, at: now, limit: max })?.n ?? 0,
    countOlder: (hubId: string, at: number, max: number): number =>
      Math.min(
        max,
        olderItems.reduce((sum, count) => sum + (count.get({ hubId, at })?.n ?? 0), 0),
      ),
    countContents: (hubId: string, max: number): HubContents => {
      const todos = countTodos.get({ hubId }) ?? { all: 0, open: 0 };
      const isComplete = todos.all < MAX_EXAMINED || todos.open >= max;
      return {
        members: membersOf(hubId, max),
        notes: countNotes.get({ hubId, limit: max })?.n ?? 0,
        openTodos: isComplete ? Math.min(todos.open, max) : null,
      };
    },
  };
}

export function totalsReads(db: Db) {
  const now = sql.placeholder('now');
  const liveHubs = prepared(db, () => db.select({ n: count() }).from(hubs).where(isNull(hubs.deletedAt)));
  const usableKeys = prepared(db, () =>
    db
      .select({ n: count() })
      .from(apiKeys)
      .where(
        and(
          isNull(apiKeys.revokedAt),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
          or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, now)),
        ),
      ),
  );
  // There are few Hubs, and each stores its number of items; counting a million rows would block every post.
  const items = prepared(db, () => db.select({ n: sum(hubs.itemCount).mapWith(Number) }).from(hubs));

  return {
    totals: (at: number): Totals => ({
      hubs: liveHubs.get()?.n ?? 0,
      keys: usableKeys.get({ now: at })?.n ?? 0,
      items: items.get()?.n ?? 0,
    }),
  };
}
