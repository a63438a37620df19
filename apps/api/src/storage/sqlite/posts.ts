import { eq, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from '../commit-report.ts';
import { given, select, toList } from '../engine/query.ts';
import { insertInto, rawWrite, update } from '../engine/write.ts';
import type { SequencedHub } from '../events.ts';
import { attach, findListed } from '../files.ts';
import { FIRST_STATUS, type NewPost } from '../items.ts';
import { findKeyTimes } from '../keys.ts';
import { listActive } from '../memberships.ts';
import { insertMention } from '../mentions.ts';
import { hubs } from '../schema/hubs.table.ts';
import { CONTENT_COLUMNS, events, items } from '../schema/items.table.ts';
import type { PostRule } from '../store.ts';
import type { Db } from './engine/database.ts';
import { SqliteConnection } from './engine/statements.ts';
import type { TransactionState } from './engine/transaction.ts';
import type { PostCounts } from './post-counts.ts';

interface PostWritesOptions {
  counts: PostCounts;
  commitReport: CommitReportBuilder;
  botId: string;
  credentials: { mayHaveChanged(keyId: string): boolean };
}

/** A Hub in which this batch has posted, with the number by which events and items refer to it. */
interface PostedHub extends SequencedHub {
  number: number;
  addedItems: number;
}

const { number, seq, deletedAt, conversationId, notesBucketId, todosBucketId } = hubs;
const findHub = select(
  { number, seq, deletedAt, conversationId, notesBucketId, todosBucketId },
  hubs,
  eq(hubs.id, given('hubId')),
);
const updateHub = update(
  hubs,
  { seq: sql`${given('seq')}`, itemCount: sql`${hubs.itemCount} + ${given('addedItems')}` },
  eq(number, given('number')),
);
const insertItem = insertInto(items, {
  columns: [
    ...(['id', 'hubNumber', 'kind', 'seq', 'createdAt', ...CONTENT_COLUMNS, 'status'] as const),
    ...(['authorKind', 'authorId', 'keyId', 'address', 'requestId'] as const),
  ],
});
/** One statement for all posts since the last flush takes a third of the time of one for each. */
const insertEvents = rawWrite(
  sql`insert into ${events} (hub_number, seq, at, event, item_id)
    select hub_number, seq, created_at, kind || '.created', id from ${items} where global_seq >= ${given('globalSeq')}`,
);

/** Writes posts inside the transaction of a batch. The row of each Hub is read once, and written by `flush`. */
export function postWrites(db: Db, { counts, commitReport, botId, credentials }: PostWritesOptions) {
  const on = new SqliteConnection(db);
  const posted = new Map<string, PostedHub>();
  /** The global sequence number of the first post without an event. */
  let firstGlobalSeq: number | null = null;

  const hubOf = (hubId: string): PostedHub | undefined => {
    const known = posted.get(hubId);
    if (known) return known;
    const row = on.first(findHub, { hubId });
    return row && { ...row, addedItems: 0 };
  };

  const write = (post: NewPost, { check, mentioned, files }: PostRule, changing: () => void): SequencedHub => {
    const { hubId, keyId, kind, createdAt, address } = post;
    const hub = hubOf(hubId);
    const changed = credentials.mayHaveChanged(keyId) ? on.first(findKeyTimes, { keyId }) : undefined;
    check(changed ?? null, hub);
    if (!hub) throw new Error('A post has no Hub');
    const fileIds = files && toList(files.ids);
    const described = files ? files.describe(on.all(findListed, { ids: fileIds })) : null;
    changing();
    hub.seq += 1;
    hub.addedItems += 1;
    posted.set(hubId, hub);
    const { seq, number } = hub;
    const author = { authorKind: 'bot', authorId: botId, status: FIRST_STATUS[kind] };
    const item = { ...post, ...author, files: described, hubNumber: number, seq, globalSeq: 0 };
    item.globalSeq = on.insert(insertItem, item);
    firstGlobalSeq ??= item.globalSeq;
    commitReport.event(hubId, seq, createdAt);
    commitReport.post(item);
    counts.add({ globalSeq: item.globalSeq, keyId, createdAt, address, kind });
    if (fileIds !== undefined) on.run(attach, { ids: fileIds, itemId: post.id });
    for (const userId of mentioned?.(on.all(listActive, { hubId })) ?? [])
      void insertMention(on, commitReport, item, { userId, isNamed: true, hasResponse: false, isUnread: true });
    return { ...hub };
  };

  const clear = (): void => {
    posted.clear();
    firstGlobalSeq = null;
  };
  const flush = (): void => {
    if (firstGlobalSeq !== null) on.run(insertEvents, { globalSeq: firstGlobalSeq });
    for (const hub of posted.values()) on.run(updateHub, hub);
    clear();
  };

  const state: TransactionState = { committed: () => {}, rolledBack: clear };
  return { write, flush, state };
}
