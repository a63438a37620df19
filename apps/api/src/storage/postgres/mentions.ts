import type { WireKind } from '@hub/contract';
import { and, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { MentioningItem, MentionRecord } from '../mention-store.ts';
import { build, type Connection, statement } from './engine/database.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

const unreadOf = and(sql`${mentions.isUnread}`, eq(mentions.personId, sql.placeholder('personId')));
const ofHub = eq(mentions.hubId, sql.placeholder('hubId'));
const ofItem = eq(mentions.itemId, sql.placeholder('itemId'));
const ofUser = and(ofItem, eq(mentions.personId, sql.placeholder('personId')));

const unreadIds = statement(
  build
    .select({ id: mentions.itemId })
    .from(mentions)
    .innerJoin(items, eq(items.rank, mentions.itemRank))
    .where(and(unreadOf, ofHub, isNull(items.deletedAt)))
    .orderBy(desc(mentions.itemRank))
    .limit(sql.placeholder('limit')),
);
const participants = statement(
  build
    .select({ personId: mentions.personId })
    .from(mentions)
    .where(and(ofItem, eq(mentions.hasResponse, true)))
    .orderBy(mentions.personId),
);

export function mentionReads(on: Connection) {
  return {
    unreadIds: async (query: { personId: string; hubId: string; limit: number }): Promise<string[]> =>
      (await on.all(unreadIds, query)).map(({ id }) => id),
    threadParticipants: async (replyId: string): Promise<string[]> =>
      (await on.all(participants, { itemId: replyId })).map(({ personId }) => personId),
  };
}

const list = statement(
  build
    .select({ personId: mentions.personId, isNamed: mentions.isNamed, hasResponse: mentions.hasResponse })
    .from(mentions)
    .where(ofItem)
    .orderBy(mentions.personId),
);
const rankOf = statement(build.select({ rank: mentions.itemRank }).from(mentions).where(ofUser));
const insert = statement(
  build.insert(mentions).values({
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
const setNamed = statement(
  build
    .update(mentions)
    .set({ isNamed: sql`${sql.placeholder('isNamed')}` })
    .where(ofUser),
);
const remove = statement(build.delete(mentions).where(ofUser));
const mark = (filter: SQL | undefined) =>
  statement(
    build.update(mentions).set({ isUnread: false }).where(and(unreadOf, filter)).returning({ hubId: mentions.hubId }),
  );
const amongItems = sql`${mentions.itemRank} in (select rank from items where id = any(${sql.placeholder('itemIds')}::text[]))`;
const marks = {
  items: mark(amongItems),
  upTo: mark(lte(mentions.itemRank, sql.placeholder('rank'))),
  thread: mark(
    and(
      ofHub,
      sql`exists (select 1 from items where rank = ${mentions.itemRank}
        and (id = ${sql.placeholder('messageId')}
          or (parent_id = ${sql.placeholder('messageId')} and seq <= ${sql.placeholder('seq')}::bigint)))`,
    ),
  ),
  hub: mark(ofHub),
  kind: mark(and(ofHub, lte(mentions.itemRank, sql.placeholder('rank')), eq(mentions.kind, sql.placeholder('kind')))),
};
// A mention of oneself is read from the beginning.
const readOfUser = and(
  eq(mentions.personId, sql.placeholder('personId')),
  ofHub,
  eq(mentions.isUnread, false),
  sql`not exists (select 1 from ${items} where ${items.rank} = ${mentions.itemRank}
    and ${items.authorId} = ${mentions.personId})`,
);
const unmark = (filter: SQL | undefined) =>
  statement(
    build.update(mentions).set({ isUnread: true }).where(and(readOfUser, filter)).returning({ hubId: mentions.hubId }),
  );
const unmarks = {
  items: unmark(amongItems),
  kind: unmark(and(eq(mentions.kind, sql.placeholder('kind')), gt(mentions.itemRank, sql.placeholder('rank')))),
};

/** The commit reports the users whose unread mentions have changed. */
export function mentionChanges(on: Connection, report: CommitReportBuilder) {
  const marking = async <Values extends { personId: string }>(
    query: typeof marks.hub,
    values: Values,
  ): Promise<void> => {
    const { personId } = values;
    for (const { hubId } of await on.all(query, { ...values })) report.unreadChanged({ personId, hubId });
  };
  return {
    list: (itemId: string): Promise<MentionRecord[]> => on.all(list, { itemId }),
    findRank: async (mention: { personId: string; itemId: string }): Promise<number | null> =>
      (await on.first(rankOf, mention))?.rank ?? null,
    insert: async (
      { rank, id, hubId, kind }: MentioningItem,
      { personId, isNamed, hasResponse, isUnread }: MentionRecord & { isUnread: boolean },
    ): Promise<void> => {
      await on.run(insert, { rank, id, hubId, kind, personId, isNamed, hasResponse, isUnread });
      if (isUnread) report.unreadChanged({ personId, hubId });
    },
    setNamed: async (mention: { personId: string; itemId: string; isNamed: boolean }): Promise<void> => {
      await on.run(setNamed, mention);
    },
    delete: async ({ id, hubId }: MentioningItem, personId: string): Promise<void> => {
      await on.run(remove, { itemId: id, personId });
      report.unreadChanged({ personId, hubId });
    },
    markUnread: (marked: { personId: string; hubId: string; itemIds: readonly string[] }): Promise<void> =>
      marking(unmarks.items, { ...marked, itemIds: [...marked.itemIds] }),
    markRead: ({ personId, itemIds }: { personId: string; itemIds: readonly string[] }): Promise<void> =>
      marking(marks.items, { personId, itemIds: [...itemIds] }),
    markReadUpTo: (marked: { personId: string; rank: number }): Promise<void> => marking(marks.upTo, marked),
    markThreadRead: (marked: { personId: string; hubId: string; messageId: string; seq: number }): Promise<void> =>
      marking(marks.thread, marked),
    markHub: (marked: { personId: string; hubId: string }): Promise<void> => marking(marks.hub, marked),
    markKind: (marked: { personId: string; hubId: string; kind: WireKind; rank: number }): Promise<void> =>
      marking(marks.kind, marked),
    // The commit reports the user's marks anyway.
    unmarkKind: async (marked: { personId: string; hubId: string; kind: WireKind; rank: number }): Promise<void> => {
      await on.run(unmarks.kind, marked);
    },
  };
}
