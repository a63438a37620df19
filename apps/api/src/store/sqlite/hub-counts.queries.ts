import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { HubContents } from '../store.ts';
import type { Db } from './database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

/** So many to-dos are looked at for those that are open, newest first: a Hub may have very many that are done. */
const LOOK_AT = 5_000;

/** Of each kind, so many of the oldest are looked at for those that are past a retention. */
const LOOK_AT_OLDEST = 2_000;

/** In the very words of the index `items_by_hub`, which SQLite does not use otherwise. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = (kind: 'message' | 'note' | 'todo') =>
  sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${kind} and ${inIndex}`;

/** How much there is in a Hub, as far as its head shows it. */
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
    .limit(LOOK_AT)
    .as('recent');
  const countMembers = db.select({ n: sql<number>`count(*)` }).from(members).prepare();
  const countKeys = db.select({ n: sql<number>`count(*)` }).from(keys).prepare();
  const countNotes = db.select({ n: sql<number>`count(*)` }).from(notes).prepare();
  const countTodos = db
    .select({ all: sql<number>`count(*)`, open: sql<number>`count(*) filter (where ${recent.status} = 'open')` })
    .from(recent)
    .prepare();

  const olderOf = (kind: 'message' | 'note' | 'todo') => {
    const oldest = db
      .select({ createdAt: items.createdAt })
      .from(items)
      .where(ofKind(kind))
      .orderBy(sql`${items.rank} asc`)
      .limit(LOOK_AT_OLDEST)
      .as('oldest');
    return db
      .select({ n: sql<number>`count(*)` })
      .from(oldest)
      .where(lt(oldest.createdAt, sql.placeholder('at')))
      .prepare();
  };
  const countOlder = [olderOf('message'), olderOf('note'), olderOf('todo')];
  const membersOf = (hubId: string, most: number): number => countMembers.get({ hubId, limit: most })?.n ?? 0;

  return {
    members: membersOf,
    keys: (hubId: string, now: number, most: number): number => countKeys.get({ hubId, at: now, limit: most })?.n ?? 0,
    older: (hubId: string, at: number, most: number): number =>
      Math.min(
        most,
        countOlder.reduce((sum, count) => sum + (count.get({ hubId, at })?.n ?? 0), 0),
      ),
    contents: (hubId: string, most: number): HubContents => {
      const todos = countTodos.get({ hubId }) ?? { all: 0, open: 0 };
      const isWhole = todos.all < LOOK_AT || todos.open >= most;
      return {
        members: membersOf(hubId, most),
        notes: countNotes.get({ hubId, limit: most })?.n ?? 0,
        openTodos: isWhole ? Math.min(todos.open, most) : null,
      };
    },
  };
}
