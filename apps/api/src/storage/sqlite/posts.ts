import { and, count, eq, gt, sql } from 'drizzle-orm';
import { dayOf } from '../../platform/time.ts';
import type { CommitReportBuilder, CommittedPost } from '../commit-report.ts';
import type { Connection } from '../engine/connection.ts';
import { build, given, query, select, toList } from '../engine/query.ts';
import { insertInto, rawWrite, update } from '../engine/write.ts';
import { type SequencedHub, sequencedHub } from '../events.ts';
import { attach, findListed } from '../files.ts';
import { FIRST_STATUS, type NewPost } from '../items.ts';
import {
  addDaysAndAddresses,
  addedRequests,
  hasKeyId,
  KEYS_PER_SAVE,
  type KeyCounting,
  type KeyUsageTally,
  POST_BITS,
  type PostsByDay,
  type UnsavedPosts,
} from '../key-usage.ts';
import { findKeyTimes } from '../keys.ts';
import { listActive } from '../memberships.ts';
import { insertMention } from '../mentions.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { CONTENT_COLUMNS, events, items } from '../schema/items.table.ts';
import { workspace } from '../schema/workspace.table.ts';
import type { PostRule } from '../store.ts';
import { SqliteConnection, type TransactionState } from './engine/connection.ts';
import type { Db } from './engine/database.ts';

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

const { number } = hubs;
const findHub = select({ number, ...sequencedHub }, hubs, eq(hubs.id, given('hubId')));
const updateHub = update(
  hubs,
  { seq: sql`${given('seq')}`, itemCount: sql`${hubs.itemCount} + ${given('addedItems')}` },
  eq(number, given('number')),
);
const insertItemBy = (botId: string) =>
  insertInto(items, {
    columns: [
      ...(['id', 'hubNumber', 'kind', 'seq', 'createdAt', ...CONTENT_COLUMNS, 'status'] as const),
      ...(['authorKind', 'authorId', 'keyId', 'address', 'requestId'] as const),
    ],
    values: { authorKind: sql`'bot'`, authorId: sql`${botId}` },
  });
/** One statement for all posts since the last flush takes a third of the time of one for each. */
const insertEvents = rawWrite(
  sql`insert into ${events} (hub_number, seq, at, event, item_id)
    select hub_number, seq, created_at, kind || '.created', id from ${items} where global_seq >= ${given('globalSeq')}`,
);

/** Writes posts inside the transaction of a batch. The row of each Hub is read once, and written by `flush`. */
export function postWrites(db: Db, { counts, commitReport, botId, credentials }: PostWritesOptions) {
  const on = new SqliteConnection(db);
  const insertItem = insertItemBy(botId);
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
    const item = { ...post, files: described, hubNumber: number, seq, status: FIRST_STATUS[kind], globalSeq: 0 };
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

interface CountedPosts extends UnsavedPosts {
  firstGlobalSeq: number;
  byDay: Map<number, number>;
}

type CountedPost = Pick<CommittedPost, 'globalSeq' | 'keyId' | 'createdAt' | 'address' | 'kind'>;

interface PostCounts extends TransactionState, KeyCounting {
  add(post: CountedPost): void;
}

const NONE: PostsByDay = new Map();

/** Saves what was counted for a key, up to a global sequence number. After a kill, only the posts tell when the key was used. */
const updateKey = update(
  apiKeys,
  {
    ...addedRequests,
    postCount: sql`${apiKeys.postCount} + ${given('postCount')}`,
    usedKinds: sql`${apiKeys.usedKinds} | ${given('kinds')}`,
    countedGlobalSeq: sql`${given('globalSeq')}`,
  },
  hasKeyId,
);
const writeGlobalSeq = update(workspace, { countedGlobalSeq: sql`${given('globalSeq')}` });

/**
 * Counts posts per key and day without a write per post: `api_keys` and `key_days` include a key's posts up to
 * `api_keys.counted_global_seq`, and later ones are counted here. After a kill they are counted again; they are all
 * beyond `workspace.counted_global_seq`.
 */
export function createPostCounts(db: Db): PostCounts {
  /** By key, in the order of `firstGlobalSeq`. */
  let { unsaved, globalSeq } = countBeyondSaved(new SqliteConnection(db));
  let thisBatch: CountedPost[] = [];
  /** The counts that `save` wrote in this batch, to restore them if the batch is lost. */
  let saved: [string, CountedPosts][] = [];

  const saveKey = async (on: Connection, keyId: string, tally: KeyUsageTally | undefined): Promise<void> => {
    const counted = unsaved.get(keyId);
    const posts = counted?.byDay ?? NONE;
    const { requestCount = 0, lastUsedAt = null, lastUsedAddress = null } = tally ?? {};
    await on.run(updateKey, {
      keyId,
      globalSeq,
      kinds: counted?.kinds ?? 0,
      postCount: posts.values().reduce((sum, count) => sum + count, 0),
      requestCount,
      lastUsedAt: lastUsedAt ?? counted?.last.at ?? null,
      lastUsedAddress: lastUsedAddress ?? counted?.last.address ?? null,
    });
    await addDaysAndAddresses(on, keyId, { posts, tally });
    if (!counted) return;
    saved.push([keyId, counted]);
    unsaved.delete(keyId);
  };

  return {
    add: (post) => void thisBatch.push(post),
    unsaved: (keyId) => unsaved.get(keyId),
    save: async (on, tallies) => {
      if (tallies.size === 0 && unsaved.size === 0) return;
      for (const [keyId, tally] of tallies) await saveKey(on, keyId, tally);
      const oldest = [...unsaved.keys().take(Math.max(0, KEYS_PER_SAVE - tallies.size))];
      for (const keyId of oldest) await saveKey(on, keyId, undefined);
      const first = unsaved.values().next().value;
      await on.run(writeGlobalSeq, { globalSeq: first ? first.firstGlobalSeq - 1 : globalSeq });
    },
    committed: () => {
      for (const { keyId, createdAt: at, address, kind, ...post } of thisBatch) {
        addPosts(unsaved, keyId, { ...post, day: dayOf(at), posts: 1, kinds: POST_BITS[kind], last: { at, address } });
        globalSeq = post.globalSeq;
      }
      thisBatch = [];
      saved = [];
    },
    rolledBack: () => {
      if (saved.length > 0) unsaved = inOrder([...saved, ...unsaved]);
      thisBatch = [];
      saved = [];
    },
  };
}

function inOrder(unsaved: readonly [string, CountedPosts][]): Map<string, CountedPosts> {
  return new Map(unsaved.toSorted(([, one], [, other]) => one.firstGlobalSeq - other.firstGlobalSeq));
}

const readGlobalSeq = select({ globalSeq: workspace.countedGlobalSeq }, workspace);
const day = sql`${items.createdAt} / 86400000`.mapWith(Number);
const kindBits = sql`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`;
const countPosts = query(() =>
  build
    .select({
      keyId: apiKeys.id,
      day,
      posts: count(),
      first: sql`min(${items.globalSeq})`.mapWith(Number),
      newest: sql`max(${items.globalSeq})`.mapWith(Number),
      kinds: kindBits.mapWith(Number),
    })
    .from(items)
    .innerJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .where(and(gt(items.globalSeq, given('globalSeq')), gt(items.globalSeq, apiKeys.countedGlobalSeq)))
    .groupBy(apiKeys.id, day),
);
const findPost = select(
  { at: items.createdAt, address: sql`coalesce(${items.address}, '')`.mapWith(String) },
  items,
  eq(items.globalSeq, given('globalSeq')),
);

/** Counts the posts that the rows of their keys do not include, and returns the global sequence number of the last post. */
function countBeyondSaved(on: SqliteConnection) {
  let globalSeq = on.first(readGlobalSeq)?.globalSeq ?? 0;
  const unsaved = new Map<string, CountedPosts>();
  for (const { keyId, day, posts, first, newest, kinds } of on.all(countPosts, { globalSeq })) {
    const last = on.first(findPost, { globalSeq: newest }) ?? { at: 0, address: '' };
    addPosts(unsaved, keyId, { globalSeq: first, day, posts, kinds, last });
    globalSeq = Math.max(globalSeq, newest);
  }
  return { unsaved: inOrder([...unsaved]), globalSeq };
}

type AddedPosts = Pick<UnsavedPosts, 'kinds' | 'last'> & { globalSeq: number; day: number; posts: number };

function addPosts(
  unsaved: Map<string, CountedPosts>,
  keyId: string,
  { globalSeq, day, posts, kinds, last }: AddedPosts,
) {
  const ofKey = unsaved.get(keyId);
  if (!ofKey) {
    unsaved.set(keyId, { firstGlobalSeq: globalSeq, byDay: new Map([[day, posts]]), kinds, last });
    return;
  }
  if (last.at >= ofKey.last.at) ofKey.last = last;
  ofKey.firstGlobalSeq = Math.min(ofKey.firstGlobalSeq, globalSeq);
  ofKey.kinds |= kinds;
  ofKey.byDay.set(day, (ofKey.byDay.get(day) ?? 0) + posts);
}
