import type { WireKind } from '@hub/contract';
import { and, desc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, Query, RowOf } from './engine/connection.ts';
import { build, FALSE, given, listed, query, rawQuery, select, TRUE, toList } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import type { ItemRecord } from './items.ts';
import { items, mentions } from './schema/items.table.ts';

interface UserInHub {
  userId: string;
  hubId: string;
}

export type MentioningItem = Pick<ItemRecord, 'globalSeq' | 'id' | 'hubId' | 'kind'>;

/** Must be exactly the condition of the index `mentions_unread`, or SQLite does not use the index. */
const unreadOf = and(sql`${mentions.isUnread}`, eq(mentions.userId, given('userId')));
const ofHub = eq(mentions.hubId, given('hubId'));
const ofItem = eq(mentions.itemId, given('itemId'));
const ofUser = and(ofItem, eq(mentions.userId, given('userId')));

const unreadIds = select({ id: mentions.itemId }, mentions, and(unreadOf, ofHub, isNull(items.deletedAt)), {
  joins: [[items, eq(items.globalSeq, mentions.itemGlobalSeq)]],
  orderBy: desc(mentions.itemGlobalSeq),
  limit: given('limit'),
});
const participants = select({ userId: mentions.userId }, mentions, and(ofItem, eq(mentions.hasResponse, TRUE)));

/** Unread mentions of a user that were not mailed, in Hubs that the user reads and has not muted. */
const unmailed = sql`mentions mention
  join items item on item.global_seq = mention.item_global_seq
  join hubs hub on hub.id = mention.hub_id and hub.deleted_at is null
  join memberships membership on membership.hub_id = mention.hub_id and membership.user_id = mention.user_id
  left join api_keys key on key.id = item.key_id
  left join users author on author.id = item.author_id
  where mention.is_unread and mention.is_named and mention.user_id = settings.user_id
    and mention.item_global_seq > settings.mailed_global_seq
    and item.created_at >= ${given('since')} and item.deleted_at is null
    and not exists (select 1 from notification_modes mode
      where mode.user_id = mention.user_id and mode.target_id = mention.hub_id and mode.mode = 'muted')`;
const wantingDigest = rawQuery(
  sql`select recipient.id, recipient.name, recipient.email from notification_settings settings
    join users recipient on recipient.id = settings.user_id and recipient.disabled_at is null
    where settings.mention_mail and exists (select 1 from ${unmailed} and item.created_at <= ${given('before')})`,
  ([id, name, email]: readonly [string, string, string]) => ({ id, name, email }),
);
const listUnmailed = rawQuery(
  sql`select mention.item_global_seq, item.created_at, hub.name, coalesce(key.name, author.name)
    from notification_settings settings cross join ${unmailed} and settings.user_id = ${given('userId')}
    order by mention.item_global_seq desc limit ${given('limit')}`,
  ([globalSeq, createdAt, hubName, authorName]: readonly [number, number, string, string | null]) => ({
    globalSeq: Number(globalSeq),
    createdAt: Number(createdAt),
    hubName,
    authorName,
  }),
);

export function mentionReads(on: Connection) {
  return {
    /** Lists the ids of the unread items in this Hub, newest first, excluding deleted ones. */
    unreadIds: async (wanted: UserInHub & { limit: number }): Promise<string[]> =>
      (await on.all(unreadIds, wanted)).map(({ id }) => id),
    /** Returns the users who want a mail, and have an unread mention of `since` to `before` that was not mailed. */
    wantingDigest: async (times: { since: number; before: number }) => on.all(wantingDigest, times),
    /** Returns the unread mentions of a user that were not mailed, newest first. */
    listUnmailed: async (wanted: { userId: string; since: number; limit: number }) => on.all(listUnmailed, wanted),
    /**
     * Returns the users who had started this reply's thread or written one of its newest hundred replies when it was
     * written, except its author.
     */
    threadParticipants: async (replyId: string): Promise<string[]> =>
      (await on.all(participants, { itemId: replyId })).map(({ userId }) => userId),
  };
}

const { userId, isNamed, hasResponse } = mentions;
const list = select({ userId, isNamed, hasResponse }, mentions, ofItem);
const findGlobalSeq = select({ globalSeq: mentions.itemGlobalSeq }, mentions, ofUser);
const insert = insertInto(mentions);

/** `isNamed`: the text mentions the user; `hasResponse`: it is a reply in a thread that the user takes part in. */
type MentionRecord = RowOf<typeof list>;

const setNamed = updatesOf(mentions, sql`${ofUser}`);
const remove = deleteFrom(mentions, ofUser);

const setUnread = (isUnread: SQL, filter: SQL | undefined) =>
  query(() => build.update(mentions).set({ isUnread }).where(filter).returning({ hubId: mentions.hubId }));
const mark = (filter: SQL | undefined) => setUnread(FALSE, and(unreadOf, filter));
const amongItems = sql`${mentions.itemGlobalSeq} in (select global_seq from ${items} where id in ${listed('itemIds')})`;
const ofKind = eq(mentions.kind, given('kind'));
const marks = {
  items: mark(amongItems),
  // The `+` keeps SQLite from using the primary key and then scanning everything already read.
  upTo: mark(sql`+${mentions.itemGlobalSeq} <= ${given('globalSeq')}`),
  thread: mark(
    and(
      ofHub,
      sql`exists (select 1 from ${items} where global_seq = ${mentions.itemGlobalSeq}
        and (id = ${given('itemId')} or (parent_id = ${given('itemId')}
          and seq <= ${given('seq')})))`,
    ),
  ),
  hub: mark(ofHub),
  kind: mark(and(ofHub, lte(mentions.itemGlobalSeq, given('globalSeq')), ofKind)),
};
/** A mention of oneself is read from the beginning. */
const unmark = (filter: SQL | undefined) =>
  setUnread(
    TRUE,
    and(
      eq(mentions.userId, given('userId')),
      ofHub,
      eq(mentions.isUnread, FALSE),
      sql`not exists (select 1 from ${items} where ${items.globalSeq} = ${mentions.itemGlobalSeq}
        and ${items.authorId} = ${mentions.userId})`,
      filter,
    ),
  );
const unmarks = {
  items: unmark(amongItems),
  kind: unmark(and(ofKind, gt(mentions.itemGlobalSeq, given('globalSeq')))),
};

/** Inserts a mention, and reports that the user's unread mentions have changed. */
export function insertMention(
  on: Connection,
  report: CommitReportBuilder,
  { globalSeq: itemGlobalSeq, id: itemId, hubId, kind }: MentioningItem,
  mention: MentionRecord & { isUnread: boolean },
) {
  const { userId, isUnread } = mention;
  if (isUnread) report.unreadChanged({ userId, hubId });
  return on.run(insert, { itemGlobalSeq, itemId, hubId, kind, ...mention });
}

export function mentionChanges(on: Connection, report: CommitReportBuilder) {
  const change = async <Marked extends { userId: string }>(marking: Query<{ hubId: string }>, values: Marked) => {
    const { userId } = values;
    const hubIds = (await on.all(marking, values)).map(({ hubId }) => hubId);
    for (const hubId of new Set(hubIds)) report.unreadChanged({ userId, hubId });
  };
  return {
    list: async (itemId: string) => on.all(list, { itemId }),
    findGlobalSeq: async (mention: { userId: string; itemId: string }) =>
      (await on.first(findGlobalSeq, mention))?.globalSeq ?? null,
    insert: async (item: MentioningItem, mention: MentionRecord & { isUnread: boolean }) =>
      insertMention(on, report, item, mention),
    setNamed: async ({ isNamed, ...mention }: { userId: string; itemId: string; isNamed: boolean }) =>
      on.run(setNamed({ isNamed }), { ...mention, isNamed }),
    delete: async ({ id: itemId, hubId }: MentioningItem, userId: string): Promise<void> => {
      await on.run(remove, { itemId, userId });
      report.unreadChanged({ userId, hubId });
    },
    /** Marks these items of a Hub as unread again; ignores the user's own, and those that do not concern the user. */
    markUnread: ({ itemIds, ...marked }: UserInHub & { itemIds: readonly string[] }): Promise<void> =>
      change(unmarks.items, { ...marked, itemIds: toList(itemIds) }),
    markRead: ({ itemIds, ...marked }: { userId: string; itemIds: readonly string[] }): Promise<void> =>
      change(marks.items, { ...marked, itemIds: toList(itemIds) }),
    markReadUpTo: (marked: { userId: string; globalSeq: number }): Promise<void> => change(marks.upTo, marked),
    /** Marks an item in this Hub as read, and the replies to it up to this event. */
    markThreadRead: (marked: UserInHub & { itemId: string; seq: number }): Promise<void> =>
      change(marks.thread, marked),
    markHub: (marked: UserInHub): Promise<void> => change(marks.hub, marked),
    /** Marks mentions of one kind in a Hub as read, up to `globalSeq`. Replies are marked in their threads. */
    markKind: (marked: UserInHub & { kind: WireKind; globalSeq: number }): Promise<void> => change(marks.kind, marked),
    /** Marks mentions of one kind in a Hub after `globalSeq` as unread again, but not replies. */
    unmarkKind: async (marked: UserInHub & { kind: WireKind; globalSeq: number }) => on.run(unmarks.kind, marked),
  };
}
