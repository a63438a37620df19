import type { WireKind } from '@hub/contract';
import { and, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from './commit-report-builder.ts';
import { build, type Connection, FALSE, insertInto, listed, type Query, query, TRUE, toList } from './engine/query.ts';
import type { MentioningItem, MentionReads, MentionRecord, MentionRepository } from './mention-store.ts';
import { mentions } from './schema/item-details.table.ts';
import { items } from './schema/items.table.ts';

/** Must be exactly the condition of the index `mentions_unread`, or SQLite does not use the index. */
const unreadOf = and(sql`${mentions.isUnread}`, eq(mentions.userId, sql.placeholder('userId')));
const ofHub = eq(mentions.hubId, sql.placeholder('hubId'));
const ofItem = eq(mentions.itemId, sql.placeholder('itemId'));
const ofUser = and(ofItem, eq(mentions.userId, sql.placeholder('userId')));

const unreadIds = query(() =>
  build
    .select({ id: mentions.itemId })
    .from(mentions)
    .innerJoin(items, eq(items.rank, mentions.itemRank))
    .where(and(unreadOf, ofHub, isNull(items.deletedAt)))
    .orderBy(desc(mentions.itemRank))
    .limit(sql.placeholder('limit')),
);
const participants = query(() =>
  build
    .select({ userId: mentions.userId })
    .from(mentions)
    .where(and(ofItem, eq(mentions.hasResponse, TRUE))),
);

export function mentionReads(on: Connection): MentionReads {
  return {
    unreadIds: async (wanted) => (await on.all(unreadIds, wanted)).map(({ id }) => id),
    threadParticipants: async (itemId) => (await on.all(participants, { itemId })).map(({ userId }) => userId),
  };
}

const list = query(() =>
  build
    .select({ userId: mentions.userId, isNamed: mentions.isNamed, hasResponse: mentions.hasResponse })
    .from(mentions)
    .where(ofItem),
);
const findRank = query(() => build.select({ rank: mentions.itemRank }).from(mentions).where(ofUser));
const insert = insertInto(mentions, [
  'userId',
  'itemRank',
  'itemId',
  'hubId',
  'kind',
  'isNamed',
  'hasResponse',
  'isUnread',
]);
const setNamed = query(() =>
  build
    .update(mentions)
    .set({ isNamed: sql`${sql.param(sql.placeholder('isNamed'), mentions.isNamed)}` })
    .where(ofUser),
);
const remove = query(() => build.delete(mentions).where(ofUser));

const setUnread = (isUnread: SQL, filter: SQL | undefined) =>
  query(() => build.update(mentions).set({ isUnread }).where(filter).returning({ hubId: mentions.hubId }));
const mark = (filter: SQL | undefined) => setUnread(FALSE, and(unreadOf, filter));
const amongItems = sql`${mentions.itemRank} in (select rank from ${items} where id in ${listed('itemIds')})`;
const ofKind = eq(mentions.kind, sql.placeholder('kind'));
const marks = {
  items: mark(amongItems),
  // The `+` keeps SQLite from using the primary key and then scanning everything already read.
  upTo: mark(sql`+${mentions.itemRank} <= ${sql.placeholder('rank')}`),
  thread: mark(
    and(
      ofHub,
      sql`exists (select 1 from ${items} where rank = ${mentions.itemRank}
        and (id = ${sql.placeholder('messageId')} or (parent_id = ${sql.placeholder('messageId')}
          and seq <= ${sql.placeholder('seq')})))`,
    ),
  ),
  hub: mark(ofHub),
  kind: mark(and(ofHub, lte(mentions.itemRank, sql.placeholder('rank')), ofKind)),
};
/** A mention of oneself is read from the beginning. */
const unmark = (filter: SQL | undefined) =>
  setUnread(
    TRUE,
    and(
      eq(mentions.userId, sql.placeholder('userId')),
      ofHub,
      eq(mentions.isUnread, FALSE),
      sql`not exists (select 1 from ${items} where ${items.rank} = ${mentions.itemRank}
        and ${items.authorId} = ${mentions.userId})`,
      filter,
    ),
  );
const unmarks = {
  items: unmark(amongItems),
  kind: unmark(and(ofKind, gt(mentions.itemRank, sql.placeholder('rank')))),
};

/** Inserts a mention, and reports that the user's unread mentions have changed. */
export function insertMention(
  on: Connection,
  report: CommitReportBuilder,
  { rank: itemRank, id: itemId, hubId, kind }: MentioningItem,
  mention: MentionRecord & { isUnread: boolean },
) {
  const { userId, isUnread } = mention;
  if (isUnread) report.unreadChanged({ userId, hubId });
  return on.run(insert, { itemRank, itemId, hubId, kind, ...mention });
}

/** The commit reports the users whose unread mentions have changed. */
export function mentionChanges(on: Connection, report: CommitReportBuilder): MentionRepository {
  const change = async <Values extends { userId: string }>(
    marking: Query<{ hubId: string }>,
    values: Values,
  ): Promise<void> => {
    const { userId } = values;
    const hubIds = (await on.all(marking, values)).map(({ hubId }) => hubId);
    for (const hubId of new Set(hubIds)) report.unreadChanged({ userId, hubId });
  };
  return {
    list: async (itemId) => on.all(list, { itemId }),
    findRank: async (mention) => (await on.first(findRank, mention))?.rank ?? null,
    insert: async (item, mention) => {
      await insertMention(on, report, item, mention);
    },
    setNamed: async (mention) => {
      await on.run(setNamed, mention);
    },
    delete: async ({ id: itemId, hubId }, userId) => {
      await on.run(remove, { itemId, userId });
      report.unreadChanged({ userId, hubId });
    },
    markUnread: ({ itemIds, ...marked }) => change(unmarks.items, { ...marked, itemIds: toList(itemIds) }),
    markRead: ({ itemIds, ...marked }) => change(marks.items, { ...marked, itemIds: toList(itemIds) }),
    markReadUpTo: (marked) => change(marks.upTo, marked),
    markThreadRead: (marked) => change(marks.thread, marked),
    markHub: (marked) => change(marks.hub, marked),
    markKind: (marked: { userId: string; hubId: string; kind: WireKind; rank: number }) => change(marks.kind, marked),
    // The commit reports the user's marks anyway.
    unmarkKind: async (marked) => {
      await on.run(unmarks.kind, marked);
    },
  };
}
