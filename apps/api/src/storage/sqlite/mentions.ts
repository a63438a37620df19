import type { WireKind } from '@hub/contract';
import { and, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { MentioningItem, MentionRecord } from '../mention-store.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

/** Must be exactly the condition of the index `mentions_unread`, or SQLite does not use the index. */
const unreadOf = and(sql`${mentions.isUnread}`, eq(mentions.personId, sql.placeholder('personId')));
const ofHub = eq(mentions.hubId, sql.placeholder('hubId'));
const ofItem = eq(mentions.itemId, sql.placeholder('itemId'));
const ofUser = and(ofItem, eq(mentions.personId, sql.placeholder('personId')));

export function mentionReads(db: Db) {
  const unread = prepared(db, () =>
    db
      .select({ id: mentions.itemId })
      .from(mentions)
      .innerJoin(items, eq(items.rank, mentions.itemRank))
      .where(and(unreadOf, ofHub, isNull(items.deletedAt)))
      .orderBy(desc(mentions.itemRank))
      .limit(sql.placeholder('limit')),
  );
  const participants = prepared(db, () =>
    db
      .select({ personId: mentions.personId })
      .from(mentions)
      .where(and(ofItem, eq(mentions.hasResponse, true))),
  );
  return {
    unreadIds: (query: { personId: string; hubId: string; limit: number }): string[] =>
      unread.all(query).map(({ id }) => id),
    threadParticipants: (replyId: string): string[] =>
      participants.all({ itemId: replyId }).map(({ personId }) => personId),
  };
}

/** Each function runs inside a transaction. The commit reports the users whose unread mentions have changed. */
export function mentionChanges(db: Db, commitReport: CommitReportBuilder) {
  const list = prepared(db, () =>
    db
      .select({ personId: mentions.personId, isNamed: mentions.isNamed, hasResponse: mentions.hasResponse })
      .from(mentions)
      .where(ofItem),
  );
  const rankOf = prepared(db, () => db.select({ rank: mentions.itemRank }).from(mentions).where(ofUser));
  const insert = prepared(db, () =>
    db.insert(mentions).values({
      personId: sql.placeholder('personId'),
      itemRank: sql.placeholder('rank'),
      itemId: sql.placeholder('id'),
      hubId: sql.placeholder('hubId'),
      kind: sql.placeholder('kind'),
      isNamed: sql.placeholder('isNamed'),
      hasResponse: sql.placeholder('hasResponse'),
      isUnread: sql.placeholder('isUnread'),
    }),
  );
  const setNamed = prepared(db, () =>
    db
      .update(mentions)
      .set({ isNamed: sql`${sql.placeholder('isNamed')}` })
      .where(ofUser),
  );
  const remove = prepared(db, () => db.delete(mentions).where(ofUser));
  const mark = <Values extends { personId: string }>(filter: SQL | undefined) => {
    const update = prepared(db, () =>
      db.update(mentions).set({ isUnread: false }).where(and(unreadOf, filter)).returning({ hubId: mentions.hubId }),
    );
    return (values: Values): void => {
      const { personId } = values;
      for (const hubId of new Set(update.all({ ...values }).map((row) => row.hubId)))
        commitReport.unreadChanged({ personId, hubId });
    };
  };
  const amongItems = sql`${mentions.itemRank} in (select rank from ${items} where id in (select value from json_each(${sql.placeholder('ids')})))`;
  const markItems = mark<{ personId: string; ids: string }>(amongItems);
  // A mention of oneself is read from the beginning.
  const readOfUser = and(
    eq(mentions.personId, sql.placeholder('personId')),
    ofHub,
    eq(mentions.isUnread, false),
    sql`not exists (select 1 from ${items} where ${items.rank} = ${mentions.itemRank}
      and ${items.authorId} = ${mentions.personId})`,
  );
  const unmarkItems = prepared(db, () =>
    db.update(mentions).set({ isUnread: true }).where(and(readOfUser, amongItems)).returning({ hubId: mentions.hubId }),
  );

  const unmarkKind = prepared(db, () =>
    db
      .update(mentions)
      .set({ isUnread: true })
      .where(
        and(readOfUser, eq(mentions.kind, sql.placeholder('kind')), gt(mentions.itemRank, sql.placeholder('rank'))),
      ),
  );

  return {
    reads: {
      list: (itemId: string): MentionRecord[] => list.all({ itemId }),
      findRank: (mention: { personId: string; itemId: string }): number | null => rankOf.get(mention)?.rank ?? null,
    },
    changes: {
      insert: (
        { rank, id, hubId, kind }: MentioningItem,
        { personId, isNamed, hasResponse, isUnread }: MentionRecord & { isUnread: boolean },
      ): void => {
        insert.run({ rank, id, hubId, kind, personId, isNamed, hasResponse, isUnread });
        if (isUnread) commitReport.unreadChanged({ personId, hubId });
      },
      setNamed: ({ personId, itemId, isNamed }: { personId: string; itemId: string; isNamed: boolean }): void => {
        setNamed.run({ personId, itemId, isNamed: isNamed ? 1 : 0 });
      },
      delete: ({ id, hubId }: MentioningItem, personId: string): void => {
        remove.run({ itemId: id, personId });
        commitReport.unreadChanged({ personId, hubId });
      },
      markUnread: ({
        personId,
        hubId,
        itemIds,
      }: {
        personId: string;
        hubId: string;
        itemIds: readonly string[];
      }): void => {
        if (unmarkItems.all({ personId, hubId, ids: JSON.stringify(itemIds) }).length > 0)
          commitReport.unreadChanged({ personId, hubId });
      },
      markRead: ({ personId, itemIds }: { personId: string; itemIds: readonly string[] }): void =>
        markItems({ personId, ids: JSON.stringify(itemIds) }),
      // The `+` keeps SQLite from using the primary key and then scanning everything already read.
      markReadUpTo: mark<{ personId: string; rank: number }>(sql`+${mentions.itemRank} <= ${sql.placeholder('rank')}`),
      markThreadRead: mark<{ personId: string; hubId: string; messageId: string; seq: number }>(
        and(
          ofHub,
          sql`exists (select 1 from ${items} where rank = ${mentions.itemRank}
            and (id = ${sql.placeholder('messageId')} or (parent_id = ${sql.placeholder('messageId')} and seq <= ${sql.placeholder('seq')})))`,
        ),
      ),
      markHub: mark<{ personId: string; hubId: string }>(ofHub),
      markKind: mark<{ personId: string; hubId: string; kind: WireKind; rank: number }>(
        and(ofHub, lte(mentions.itemRank, sql.placeholder('rank')), eq(mentions.kind, sql.placeholder('kind'))),
      ),
      // The commit reports the user's marks anyway.
      unmarkKind: (marked: { personId: string; hubId: string; kind: WireKind; rank: number }): void => {
        unmarkKind.run(marked);
      },
    },
  };
}
