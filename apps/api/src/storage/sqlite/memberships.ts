import { type PerKind, perKind, type WireKind } from '@hub/contract';
import { and, desc, eq, isNull, lt, max, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { MembershipRecord } from '../hub-store.ts';
import type { ItemRowKind } from '../item-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { hubNumber } from './hubs.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { memberships, users } from './tables/users.table.ts';

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

/** Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.placeholder('kind')} and ${inIndex}`;

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
const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  lastSeenAt: users.lastSeenAt,
};

export function membershipReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select(columns)
      .from(memberships)
      .where(
        and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))),
      ),
  );
  const listMembers = prepared(db, () =>
    db
      .select({ ...columns, user: userColumns })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.personId))
      .where(and(eq(memberships.hubId, sql.placeholder('hubId')), lt(memberships.personId, sql.placeholder('before'))))
      .orderBy(desc(memberships.personId))
      .limit(sql.placeholder('limit')),
  );
  const listHubIds = prepared(db, () =>
    db
      .select({ id: memberships.hubId })
      .from(memberships)
      .innerJoin(hubs, eq(hubs.id, memberships.hubId))
      .where(and(eq(memberships.personId, sql.placeholder('personId')), isNull(hubs.deletedAt))),
  );

  const countUnread = unreadCounts(db);

  return {
    countUnread,
    find: (hubId: string, personId: string): MembershipRecord | null => find.get({ hubId, personId }) ?? null,
    listMembers: ({ hubId, limit, before = AFTER_ALL_IDS }: PageRequest & { hubId: string }) =>
      listMembers.all({ hubId, limit, before }),
    listHubIds: (personId: string): string[] => listHubIds.all({ personId }).map(({ id }) => id),
  };
}

function unreadCounts(db: Db) {
  const recent = db
    .select({ authorKind: items.authorKind, authorId: items.authorId, deletedAt: items.deletedAt })
    .from(items)
    .where(sql`${ofKind} and ${items.rank} > ${sql.placeholder('rank')}`)
    .orderBy(sql`${items.rank} desc`)
    .limit(MAX_EXAMINED)
    .as('recent');
  const unread = db
    .select({ one: sql`1` })
    .from(recent)
    .where(
      sql`${recent.deletedAt} is null and (${recent.authorKind} <> 'person' or ${recent.authorId} <> ${sql.placeholder('personId')})`,
    )
    .limit(sql.placeholder('limit'))
    .as('unread');
  const count = prepared(db, () => db.select({ n: sql<number>`count(*)` }).from(unread));
  return ({ hubId, personId, readRanks }: MembershipRecord, limit: number): PerKind<number> =>
    perKind((kind) => count.get({ hubId, kind, rank: readRanks[kind], personId, limit })?.n ?? 0);
}

/** Reads the members of a Hub whose accounts are not disabled, for changes to items. */
export function activeMemberReads(db: Db) {
  const listActive = prepared(db, () =>
    db
      .select({ id: users.id, name: users.name })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.personId))
      .where(and(eq(memberships.hubId, sql.placeholder('hubId')), isNull(users.disabledAt))),
  );
  return { listActive: (hubId: string): { id: string; name: string }[] => listActive.all({ hubId }) };
}

/** Reads the ranks of items, for read marks. */
export function rankReads(db: Db) {
  const nextAt = prepared(db, () =>
    db
      .select({ rank: items.rank, seq: items.seq })
      .from(items)
      .where(sql`${ofKind} and ${items.rank} >= ${sql.placeholder('rank')}`)
      .orderBy(items.rank)
      .limit(1),
  );
  const newest = prepared(db, () => db.select({ rank: max(items.rank) }).from(items));
  const newestRank = (): number => newest.get()?.rank ?? 0;

  /**
   * Within one kind of item in a Hub, rank and sequence number rise together. So a binary search over a range of n
   * ranks takes about log2(n) index look-ups, however many items are in the range.
   */
  const rankOfKind = (kind: ItemRowKind, { hubId, seq, from }: { hubId: string; seq: number; from: number }) => {
    let low = from;
    let beyond = newestRank() + 1;
    while (low + 1 < beyond) {
      const middle = Math.floor((low + beyond) / 2);
      const item = nextAt.get({ hubId, kind, rank: middle });
      if (item && item.seq <= seq) low = item.rank;
      else beyond = middle;
    }
    return low;
  };

  return {
    newestRank,
    rankUpTo: (kind: WireKind, query: { hubId: string; seq: number; from: number }): number =>
      Math.max(...ROWS_OF[kind].map((rows) => rankOfKind(rows, query))),
  };
}

type Marks = Pick<MembershipRecord, 'readSeqs' | 'readRanks' | 'readVersion'>;

/** Each function runs inside a transaction. */
export function membershipChanges(db: Db, commitReport: Pick<CommitReportBuilder, 'hubsChanged' | 'unreadChanged'>) {
  const at = (hubId: string, personId: string) => and(eq(memberships.hubId, hubId), eq(memberships.personId, personId));
  return {
    insert: ({ hubId, personId, joinedAt, ...marks }: MembershipRecord): void => {
      db.insert(memberships)
        .values({ hubId, personId, joinedAt, ...markColumns(marks) })
        .run();
      commitReport.hubsChanged();
    },
    delete: (hubId: string, personId: string): void => {
      db.delete(memberships).where(at(hubId, personId)).run();
      commitReport.hubsChanged();
    },
    saveMarks: ({ hubId, personId, ...marks }: MembershipRecord): void => {
      db.update(memberships).set(markColumns(marks)).where(at(hubId, personId)).run();
      commitReport.unreadChanged({ personId, hubId });
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
