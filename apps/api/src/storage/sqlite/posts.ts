import { eq, gte, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from '../commit-report.ts';
import { toList } from '../engine/query.ts';
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
import { boundStatement, SqliteConnection } from './engine/statements.ts';
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

type HubRow = [number, number, number | null, string, string, string];

/** Writes posts inside the transaction of a batch. The row of each Hub is read once, and written by `flush`. */
export function postWrites(db: Db, { counts, commitReport, botId, credentials }: PostWritesOptions) {
  const findHub = boundStatement(db, () =>
    db
      .select({
        number: hubs.number,
        seq: hubs.seq,
        deletedAt: hubs.deletedAt,
        conversationId: hubs.conversationId,
        notesBucketId: hubs.notesBucketId,
        todosBucketId: hubs.todosBucketId,
      })
      .from(hubs)
      .where(eq(hubs.id, sql.placeholder('id'))),
  );
  const updateHub = boundStatement(db, () =>
    db
      .update(hubs)
      .set({
        seq: sql`${sql.placeholder('seq')}`,
        itemCount: sql`${hubs.itemCount} + ${sql.placeholder('addedItems')}`,
      })
      .where(eq(hubs.number, sql.placeholder('number'))),
  );
  const insertItem = boundStatement(db, () =>
    db.insert(items).values({
      id: sql.placeholder('id'),
      hubNumber: sql.placeholder('hubNumber'),
      kind: sql.placeholder('kind'),
      seq: sql.placeholder('seq'),
      createdAt: sql.placeholder('createdAt'),
      ...Object.fromEntries(CONTENT_COLUMNS.map((name) => [name, sql.placeholder(name)])),
      status: sql.placeholder('status'),
      authorKind: 'bot',
      authorId: botId,
      keyId: sql.placeholder('keyId'),
      address: sql.placeholder('address'),
      requestId: sql.placeholder('requestId'),
    }),
  );
  // One statement for all posts since the last flush takes a third of the time of one for each.
  const insertEvents = boundStatement(db, () =>
    db.insert(events).select(
      db
        .select({
          hubNumber: items.hubNumber,
          seq: items.seq,
          at: items.createdAt,
          event: sql`${items.kind} || '.created'`.as('event'),
          itemId: items.id,
          data: sql`null`.as('data'),
        })
        .from(items)
        .where(gte(items.globalSeq, sql.placeholder('globalSeq'))),
    ),
  );
  const on = new SqliteConnection(db);
  const posted = new Map<string, PostedHub>();
  /** The global sequence number of the first post without an event. */
  let firstGlobalSeq: number | null = null;

  const hubOf = (id: string): PostedHub | undefined => {
    const known = posted.get(id);
    if (known) return known;
    const row = findHub.first({ id });
    if (!row) return undefined;
    const [number, seq, deletedAt, conversationId, notesBucketId, todosBucketId] = row as HubRow;
    return { number, seq, deletedAt, conversationId, notesBucketId, todosBucketId, addedItems: 0 };
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
    const item = { ...post, files: described, hubNumber: number, seq, status: FIRST_STATUS[kind], globalSeq: 0 };
    item.globalSeq = insertItem.insert(item);
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
    if (firstGlobalSeq !== null) insertEvents.run({ globalSeq: firstGlobalSeq });
    for (const { number, seq, addedItems } of posted.values()) updateHub.run({ number, seq, addedItems });
    clear();
  };

  const state: TransactionState = { committed: () => {}, rolledBack: clear };
  return { write, flush, state };
}
