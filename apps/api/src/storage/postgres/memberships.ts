import { type PerKind, perKind, type WireKind } from '@hub/contract';
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { MembershipRecord } from '../hub-store.ts';
import type { ItemRowKind } from '../item-store.ts';
import { AFTER_ALL_IDS, build, type Connection, rawStatement, statement } from './engine/database.ts';
import { hubNumber } from './hubs.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { memberships, users } from './tables/users.table.ts';
import { userColumns } from './users.ts';

/** The kinds of rows that each read mark covers: a conversation has a single read mark for messages and replies. */
const ROWS_OF: Record<WireKind, readonly ItemRowKind[]> = {
  message: ['message', 'reply'],
  note: ['note'],
  todo: ['todo'],
};

/**
 * Maximum number of rows examined to count the unread ones, newest first. The count can be too low only for users who
 * have themselves written many items without reading those by others in between.
 */
const MAX_EXAMINED = 1_000;

const columns = {
  hubId: memberships.hubId,
  personId: memberships.personId,
  joinedAt: memberships.joinedAt,
  readSeqs: {
    message: memberships.messageReadSeq,
    note: memberships.noteReadSeq,
    todo: memberships.todoReadSeq,
  },
  readRanks: {
    message: memberships.messageReadRank,
    note: memberships.noteReadRank,
    todo: memberships.todoReadRank,
  },
  readVersion: memberships.readVersion,
};

const byIds = () =>
  build
    .select(columns)
    .from(memberships)
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))));
const find = statement(byIds());
const findLocked = statement(byIds().for('no key update'));
const listMembers = statement(
  build
    .select({ ...columns, user: userColumns })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.personId))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), lt(memberships.personId, sql.placeholder('before'))))
    .orderBy(desc(memberships.personId))
    .limit(sql.placeholder('limit')),
);
const listHubIds = statement(
  build
    .select({ id: memberships.hubId })
    .from(memberships)
    .innerJoin(hubs, eq(hubs.id, memberships.hubId))
    .where(and(eq(memberships.personId, sql.placeholder('personId')), isNull(hubs.deletedAt)))
    .orderBy(memberships.hubId),
);
/** Counts the unread items of all kinds in one round trip. */
const countUnread = rawStatement(
  sql`select kind, (
      select count(*) from (
        select 1 from (
          select author_kind, author_id, deleted_at from items
            where hub_number = ${hubNumber} and items.kind = mark.kind and (deleted_at is null or reply_count > 0)
              and rank > mark.rank
            order by rank desc limit ${sql.raw(String(MAX_EXAMINED))}) as recent
          where deleted_at is null and (author_kind <> 'person' or author_id <> ${sql.placeholder('personId')})
          limit ${sql.placeholder('limit')}::bigint) as unread)
    from unnest(array['message', 'note', 'todo'],
      array[${sql.placeholder('message')}::bigint, ${sql.placeholder('note')}::bigint,
        ${sql.placeholder('todo')}::bigint]) as mark (kind, rank)`,
  ([kind, n]: [WireKind, string]) => ({ kind, n: Number(n) }),
);

export function membershipReads(on: Connection, query = find) {
  return {
    find: async (hubId: string, personId: string): Promise<MembershipRecord | null> =>
      (await on.first(query, { hubId, personId })) ?? null,
    listMembers: ({ hubId, limit, before = AFTER_ALL_IDS }: PageRequest & { hubId: string }) =>
      on.all(listMembers, { hubId, limit, before }),
    listHubIds: async (personId: string): Promise<string[]> =>
      (await on.all(listHubIds, { personId })).map(({ id }) => id),
    countUnread: async ({ hubId, personId, readRanks }: MembershipRecord, limit: number): Promise<PerKind<number>> => {
      const counts = await on.all(countUnread, { hubId, personId, limit, ...readRanks });
      return perKind((kind) => counts.find((each) => each.kind === kind)?.n ?? 0);
    },
  };
}

const listActive = statement(
  build
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.personId))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), isNull(users.disabledAt)))
    .orderBy(users.id),
);
const newestRank = statement(build.select({ rank: sql`coalesce(max(${items.rank}), 0)`.mapWith(Number) }).from(items));
/**
 * Within one kind of item in a Hub, rank and sequence number rise together. So a binary search over a range of n ranks
 * takes about log2(n) index look-ups, however many items are in the range.
 */
const rankUpTo = rawStatement(
  sql`with recursive search (low, beyond) as (
      select ${sql.placeholder('from')}::bigint, (select coalesce(max(rank), 0) from items) + 1
      union all
      select case when found.seq <= ${sql.placeholder('seq')}::bigint then found.rank else search.low end,
        case when found.seq <= ${sql.placeholder('seq')}::bigint then search.beyond
          else (search.low + search.beyond) / 2 end
        from search left join lateral (
          select rank, seq from items
            where hub_number = ${hubNumber} and kind = ${sql.placeholder('kind')}::text
              and (deleted_at is null or reply_count > 0) and rank >= (search.low + search.beyond) / 2
            order by rank limit 1) as found on true
        where search.low + 1 < search.beyond)
    select max(low) from search`,
  ([rank]: [string]) => Number(rank),
);

type Marks = Pick<MembershipRecord, 'readSeqs' | 'readRanks' | 'readVersion'>;

export function membershipChanges(on: Connection, report: CommitReportBuilder) {
  const at = (hubId: string, personId: string) => and(eq(memberships.hubId, hubId), eq(memberships.personId, personId));
  return {
    ...membershipReads(on, findLocked),
    listActive: (hubId: string): Promise<{ id: string; name: string }[]> => on.all(listActive, { hubId }),
    newestRank: async (): Promise<number> => (await on.first(newestRank))?.rank ?? 0,
    rankUpTo: async (kind: WireKind, query: { hubId: string; seq: number; from: number }): Promise<number> => {
      let highest = query.from;
      for (const rows of ROWS_OF[kind])
        highest = Math.max(highest, (await on.first(rankUpTo, { ...query, kind: rows })) ?? 0);
      return highest;
    },
    insert: async ({ hubId, personId, joinedAt, ...marks }: MembershipRecord): Promise<void> => {
      const values = { hubId, personId, joinedAt, ...markColumns(marks) };
      await on.run(statement(build.insert(memberships).values(values)));
      report.hubsChanged();
    },
    delete: async (hubId: string, personId: string): Promise<void> => {
      await on.run(statement(build.delete(memberships).where(at(hubId, personId))));
      report.hubsChanged();
    },
    saveMarks: async ({ hubId, personId, ...marks }: MembershipRecord): Promise<void> => {
      await on.run(statement(build.update(memberships).set(markColumns(marks)).where(at(hubId, personId))));
      report.unreadChanged({ personId, hubId });
    },
  };
}

function markColumns({ readSeqs, readRanks, readVersion }: Marks) {
  return {
    readVersion,
    messageReadSeq: readSeqs.message,
    messageReadRank: readRanks.message,
    noteReadSeq: readSeqs.note,
    noteReadRank: readRanks.note,
    todoReadSeq: readSeqs.todo,
    todoReadRank: readRanks.todo,
  };
}
