import type { WireKind } from '@hub/contract';
import { and, desc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { MentionStore } from '../mention-store.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import type { Writer } from './writes.ts';

/** Must be exactly the condition of the index `mentions_unread`, or SQLite does not use the index. */
const unreadOf = and(sql`${mentions.isUnread}`, eq(mentions.personId, sql.placeholder('personId')));

export type MentionMarkWrites = ReturnType<typeof mentionMarkWrites>;

/** Marks mentions and replies as read. Each function runs inside a writer transaction. */
export function mentionMarkWrites(db: Db, commitReport: CommitReportBuilder) {
  const mark = (filter: SQL | undefined) => {
    const update = db
      .update(mentions)
      .set({ isUnread: false })
      .where(and(unreadOf, filter))
      .returning({ hubId: mentions.hubId })
      .prepare();
    return (values: { personId: string } & Record<string, unknown>): void => {
      const { personId } = values;
      for (const hubId of new Set(update.all(values).map((row) => row.hubId)))
        commitReport.unreadChanged({ personId, hubId });
    };
  };
  const ofHub = eq(mentions.hubId, sql.placeholder('hubId'));
  const markHub = mark(ofHub);
  const markKind = mark(
    and(ofHub, lte(mentions.itemRank, sql.placeholder('rank')), eq(mentions.kind, sql.placeholder('kind'))),
  );
  const markItems = mark(
    sql`${mentions.itemRank} in (select rank from ${items} where id in (select value from json_each(${sql.placeholder('ids')})))`,
  );
  // The `+` keeps SQLite from using the primary key and then scanning everything already read.
  const markUpTo = mark(sql`+${mentions.itemRank} <= ${sql.placeholder('rank')}`);
  const markThread = mark(
    and(
      ofHub,
      sql`exists (select 1 from ${items} where rank = ${mentions.itemRank}
        and (id = ${sql.placeholder('messageId')} or (parent_id = ${sql.placeholder('messageId')} and seq <= ${sql.placeholder('seq')})))`,
    ),
  );
  const rankOf = db
    .select({ rank: mentions.itemRank })
    .from(mentions)
    .where(and(eq(mentions.itemId, sql.placeholder('itemId')), eq(mentions.personId, sql.placeholder('personId'))))
    .prepare();
  const hubOf = db
    .select({ hubId: items.hubId })
    .from(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();

  return {
    markHub,
    /** Marks mentions of one kind in a Hub as read, up to this rank. Replies are marked in their threads. */
    markKind: (marked: { personId: string; hubId: string; kind: WireKind; rank: number }): void => markKind(marked),
    markMentionsRead: ({ personId, itemIds }: { personId: string; itemIds: readonly string[] }): void =>
      markItems({ personId, ids: JSON.stringify(itemIds) }),
    markMentionsReadUpTo: ({ personId, itemId }: { personId: string; itemId: string }): boolean => {
      const row = rankOf.get({ personId, itemId });
      if (row) markUpTo({ personId, rank: row.rank });
      return row !== undefined;
    },
    markThreadRead: (marked: { personId: string; messageId: string; seq: number }): void => {
      const row = hubOf.get({ id: marked.messageId });
      if (row) markThread({ ...marked, ...row });
    },
  };
}

export function mentionStore(db: Db, writer: Writer): MentionStore {
  const unread = db
    .select({ id: mentions.itemId })
    .from(mentions)
    .innerJoin(items, eq(items.rank, mentions.itemRank))
    .where(and(unreadOf, eq(mentions.hubId, sql.placeholder('hubId')), isNull(items.deletedAt)))
    .orderBy(desc(mentions.itemRank))
    .limit(sql.placeholder('limit'))
    .prepare();
  const participants = db
    .select({ personId: mentions.personId })
    .from(mentions)
    .where(and(eq(mentions.itemId, sql.placeholder('replyId')), eq(mentions.hasResponse, true)))
    .prepare();
  return {
    unreadIds: reading((query) => unread.all(query).map(({ id }) => id)),
    threadParticipants: reading((replyId: string) => participants.all({ replyId }).map(({ personId }) => personId)),
    markRead: (change) => writer.write('markMentionsRead', change),
    markReadUpTo: (change) => writer.write('markMentionsReadUpTo', change),
    markThreadRead: (change) => writer.write('markThreadRead', change),
  };
}
