import { type PerKind, perKind, type WireKind } from '@hub/contract';
import { and, eq, isNull, max, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { FALSE, fromNewest, given, listed, page, rawQuery, select, toList } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import { hubNumber, isListed, ROWS_OF } from './items.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
import { memberships, users } from './schema/users.table.ts';
import { userColumns } from './users.ts';

/**
 * Rows examined to count the unread ones. Only users who have written that many since see too low a count; of Hubs in
 * which they muted a key, after that many posts.
 */
const MAX_EXAMINED = 2_000;
const MAX_EXAMINED_WITH_MUTED = 20_000;

const { messageReadSeq, noteReadSeq, todoReadSeq, hubId, userId, joinedAt, readVersion, isFavorite } = memberships;
const { messageReadGlobalSeq, noteReadGlobalSeq, todoReadGlobalSeq } = memberships;
const columns = {
  ...{ hubId, userId, joinedAt, readVersion, isFavorite },
  readSeqs: { message: messageReadSeq, note: noteReadSeq, todo: todoReadSeq },
  readGlobalSeqs: { message: messageReadGlobalSeq, note: noteReadGlobalSeq, todo: todoReadGlobalSeq },
};
const ofHub = eq(hubId, given('hubId'));
const ofUser = eq(userId, given('userId'));

const find = select(columns, memberships, and(ofHub, ofUser));
const listMembers = page({ ...columns, user: userColumns }, userId, ofHub, [[users, eq(users.id, userId)]]);
const listHubIds = select({ id: hubId }, memberships, and(ofUser, isNull(hubs.deletedAt)), {
  joins: [[hubs, eq(hubs.id, hubId)]],
  orderBy: hubId,
});

/** Counts the unread items of one kind. The placeholder of this name is its read mark. */
const unreadOf = (kind: WireKind): SQL => sql`(select count(*) from (
  select 1 from (
    select author_kind, author_id, key_id, deleted_at from ${items}
      where ${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.raw(`'${kind}'`)} and ${isListed}
        and ${items.globalSeq} > ${given(kind)}
      order by ${items.globalSeq} desc limit ${given('examined')}) as recent
    where deleted_at is null and (author_kind <> 'user' or author_id <> ${given('userId')})
      and (key_id is null or key_id not in ${listed('mutedKeyIds')})
    limit ${given('limit')}) as unread)`;
const countUnread = rawQuery(
  sql`select ${unreadOf('message')}, ${unreadOf('note')}, ${unreadOf('todo')}`,
  ([message, note, todo]): PerKind<number> => ({ message: Number(message), note: Number(note), todo: Number(todo) }),
);

export type MembershipRecord = RowOf<typeof find>;

export function membershipReads(on: Connection) {
  return {
    find: async (hubId: string, userId: string) => (await on.lock(find, { hubId, userId })) ?? null,
    listMembers: async (page: PageRequest & { hubId: string }) => on.all(listMembers, fromNewest(page)),
    listHubIds: async (userId: string) => (await on.all(listHubIds, { userId })).map(({ id }) => id),
    /** Counts the items of others, except those posted with a key that the user muted. */
    countUnread: async (
      { hubId, userId, readGlobalSeqs }: MembershipRecord,
      { mutedKeyIds, limit }: { mutedKeyIds: readonly string[]; limit: number },
    ): Promise<PerKind<number>> => {
      const examined = mutedKeyIds.length === 0 ? MAX_EXAMINED : MAX_EXAMINED_WITH_MUTED;
      const values = { hubId, userId, limit, examined, mutedKeyIds: toList(mutedKeyIds), ...readGlobalSeqs };
      return (await on.first(countUnread, values)) ?? perKind(() => 0);
    },
  };
}

export const listActive = select(
  { id: users.id, name: users.name, role: users.role },
  memberships,
  and(ofHub, isNull(users.disabledAt)),
  { joins: [[users, eq(users.id, userId)]], orderBy: userId },
);
const newestGlobalSeq = select({ globalSeq: max(items.globalSeq) }, items);
/** A column of the next item of a kind at the middle of the range that is left. */
const atMiddle = (column: SQL): SQL => sql`(select ${column} from ${items}
  where ${items.hubNumber} = ${hubNumber} and ${items.kind} = ${given('kind')} and ${isListed}
    and ${items.globalSeq} >= (low + beyond) / 2
  order by ${items.globalSeq} limit 1)`;
const isBefore = sql`${atMiddle(sql`${items.seq}`)} <= ${given('seq')}`;
/** Within one kind of item in a Hub, `globalSeq` and `seq` rise together, so a binary search needs few look-ups. */
const globalSeqUpTo = rawQuery(
  sql`with recursive search (low, beyond) as (
      select cast(${given('from')} as bigint), (select coalesce(max(global_seq), 0) from items) + 1
      union all
      select case when ${isBefore} then ${atMiddle(sql`${items.globalSeq}`)} else low end,
        case when ${isBefore} then beyond else (low + beyond) / 2 end
        from search where low + 1 < beyond)
    select max(low) from search`,
  ([globalSeq]) => Number(globalSeq),
);
const insert = insertInto(memberships, { values: { isFavorite: FALSE } });
const remove = deleteFrom(memberships, and(ofHub, ofUser));
const marksOf = ({ readSeqs, readGlobalSeqs, readVersion }: Omit<MembershipRecord, 'isFavorite'>) => ({
  readVersion,
  messageReadSeq: readSeqs.message,
  messageReadGlobalSeq: readGlobalSeqs.message,
  noteReadSeq: readSeqs.note,
  noteReadGlobalSeq: readGlobalSeqs.note,
  todoReadSeq: readSeqs.todo,
  todoReadGlobalSeq: readGlobalSeqs.todo,
});
const updates = updatesOf(memberships, sql`${ofHub} and ${ofUser}`);

export function membershipChanges(on: Connection, report: Pick<CommitReportBuilder, 'hubsChanged' | 'unreadChanged'>) {
  return {
    ...membershipReads(on),
    listActive: async (hubId: string) => on.all(listActive, { hubId }),
    /** Returns the newest global sequence number across all Hubs: anything added to any Hub later has a higher one. */
    newestGlobalSeq: async (): Promise<number> => (await on.first(newestGlobalSeq))?.globalSeq ?? 0,
    /** Returns the highest global sequence number of this kind up to the event `seq`; at least `from`. */
    globalSeqUpTo: async (kind: WireKind, wanted: { hubId: string; seq: number; from: number }): Promise<number> => {
      let highest = wanted.from;
      for (const rows of ROWS_OF[kind])
        highest = Math.max(highest, (await on.first(globalSeqUpTo, { ...wanted, kind: rows })) ?? 0);
      return highest;
    },
    insert: async (membership: Omit<MembershipRecord, 'isFavorite'>): Promise<void> => {
      const { hubId, userId, joinedAt } = membership;
      await on.run(insert, { hubId, userId, joinedAt, ...marksOf(membership) });
      report.hubsChanged();
    },
    delete: async (hubId: string, userId: string): Promise<void> => {
      await on.run(remove, { hubId, userId });
      report.hubsChanged();
    },
    setFavorite: async (hubId: string, userId: string, isFavorite: boolean): Promise<void> => {
      await on.run(updates({ isFavorite }), { hubId, userId, isFavorite });
      report.unreadChanged({ userId, hubId });
    },
    saveMarks: async (membership: MembershipRecord): Promise<void> => {
      const { hubId, userId } = membership;
      const marks = marksOf(membership);
      await on.run(updates(marks), { hubId, userId, ...marks });
      report.unreadChanged({ userId, hubId });
    },
  };
}
