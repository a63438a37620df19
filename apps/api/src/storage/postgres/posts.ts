import type { KeyTimes } from '@hub/contract/key-state';
import { eq, sql } from 'drizzle-orm';
import { StoreUnavailable } from '../../platform/errors.ts';
import { dayOf } from '../../platform/time.ts';
import type { CommitReportBuilder } from '../commit-report.ts';
import type { RowOf } from '../engine/connection.ts';
import { given, rawQuery, select, toList } from '../engine/query.ts';
import { isLockTimeout } from '../engine/storage-error.ts';
import { rawWrite } from '../engine/write.ts';
import type { SequencedHub } from '../events.ts';
import { attach, type FileRecord, findListed } from '../files.ts';
import { FIRST_STATUS, type NewPost } from '../items.ts';
import { POST_BITS } from '../key-usage.ts';
import { listActive } from '../memberships.ts';
import { insertMention } from '../mentions.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { columnName } from '../schema/columns.ts';
import { hubs } from '../schema/hubs.table.ts';
import { CONTENT_COLUMNS, items } from '../schema/items.table.ts';
import type { PostRule } from '../store.ts';
import type { Outcome } from './engine/batches.ts';
import { type Connection, numberOrNull, type ReadConnection } from './engine/connection.ts';
import { indexedTerms } from './search.ts';

/** Longer than other nodes hold a Hub for their posts. */
const MAX_LOCKED_MS = 250;

export interface QueuedPost {
  post: NewPost;
  rule: PostRule;
}

/** Another transaction holds one of the Hubs for so long that the posts in the others should not wait for it. */
export class HubLocked extends Error {}

/** Handling of a Hub that another transaction holds: wait, wait for a moment, or leave out the posts in it. */
export type Wait = 'long' | 'short' | 'none';
/** `null`: the post was left out. */
export type PostOutcome = Outcome<SequencedHub> | null;

/** The setting of sessions for posts. */
export const SHORT_LOCKS = `SET lock_timeout = ${MAX_LOCKED_MS}`;
const unlimitWait = rawWrite(sql`select set_config('lock_timeout', '0', true)`);
const { expiresAt, overlapEndsAt, revokedAt } = apiKeys;
/** Locks Hubs and then keys, as every transaction does that reads a key (`keys.ts`), and in the same order on all nodes. */
const keysWithHubs = select(
  { keyId: apiKeys.id, key: { expiresAt, overlapEndsAt, revokedAt }, hub: { deletedAt: hubs.deletedAt } },
  hubs,
  sql`${apiKeys.id} = any(${given('keyIds')}::text[])`,
  { joins: [[apiKeys, eq(apiKeys.hubId, hubs.id)]], orderBy: [hubs.id, apiKeys.id] },
);
type LockedKey = RowOf<typeof keysWithHubs>;

const contentColumns = CONTENT_COLUMNS.map((name) => {
  const column = items[name];
  return { name, inSql: columnName(column), type: column.getSQLType() === 'integer' ? 'bigint' : 'text' };
});
const contentNames = sql.raw(contentColumns.map(({ inSql }) => inSql).join(', '));

/** The columns of `post` below, with their types. */
const POST_COLUMNS = {
  ...{ n: 'integer', id: 'text', kind: 'text', at: 'bigint' },
  ...Object.fromEntries(contentColumns.map(({ inSql, type }) => [inSql, type])),
  ...{ status: 'text', key_id: 'text', address: 'text', request_id: 'text', bit: 'bigint', day: 'bigint' },
  ...{ words: 'text', phrases: 'text' },
};
const postColumns = Object.keys(POST_COLUMNS);
/** Arrays are read faster than JSON. */
const postArrays = sql.join(
  Object.entries(POST_COLUMNS).map(([name, type]) => sql`${given(name)}::${sql.raw(type)}[]`),
  sql`, `,
);

/** A post as it was written, or left out, with the state of its key and its Hub. */
interface PostResult {
  readonly id: string;
  /** `null`: it was left out. */
  readonly seq: number | null;
  readonly globalSeq: number;
  readonly key: KeyTimes;
  readonly hub: SequencedHub;
}
type ResultCells = readonly [id: string, conversation: string, notes: string, todos: string, ...(string | null)[]];

const resultColumns = sql.raw('conversation_id, notes_bucket_id, todos_bucket_id, hubs.deleted_at');
function toResult([id, conversationId, notesBucketId, todosBucketId, ...numbers]: ResultCells): PostResult {
  const [deletedAt = null, seq = null, globalSeq, ...times] = numbers.map(numberOrNull);
  const [expiresAt = null, overlapEndsAt = null, revokedAt = null] = times;
  const hub = { seq: seq ?? 0, deletedAt, conversationId, notesBucketId, todosBucketId };
  return { id, seq, globalSeq: globalSeq ?? 0, key: { expiresAt, overlapEndsAt, revokedAt }, hub };
}

/**
 * Locks the Hubs and keys of posts, writes the posts that both admit, with their events, and counts them. Without a
 * transaction around it, no round trip takes place while they are locked.
 */
const write = rawQuery(
  sql`with sent as materialized (
      select * from unnest(${postArrays}) as sent(${sql.raw(postColumns.join(', '))})),
    locked as materialized (
      select api_keys.id as key_id, number, hubs.seq as last_seq, ${resultColumns},
          expires_at, overlap_ends_at, revoked_at
        from hubs join api_keys on api_keys.hub_id = hubs.id
        -- Without the array, PostgreSQL expects so many posts that it reads all keys.
        where api_keys.id = any(array(select key_id from sent)) order by hubs.id, api_keys.id for no key update),
    post as materialized (
      select sent.*, number as hub, last_seq + row_number() over (partition by number order by n) as seq
        from sent join locked using (key_id)
        where deleted_at is null and revoked_at is null
          and coalesce(least(expires_at, overlap_ends_at) > at, true)),
    hub as (
      update hubs set seq = added.seq, item_count = item_count + added.items
        from (select hub, max(seq) as seq, count(*) as items from post group by hub) added where number = added.hub),
    event as (
      insert into events (hub_number, seq, at, event, item_id) select hub, seq, at, kind || '.created', id from post),
    counted as (
      update api_keys set post_count = post_count + used.posts, used_kinds = used_kinds | used.bits,
          last_used_at = greatest(last_used_at, used.at),
          last_used_address = case when last_used_at >= used.at then last_used_address else used.address end
        from (select key_id, count(*) as posts, bit_or(bit) as bits, max(at) as at,
            (array_agg(address order by n desc))[1] as address from post group by key_id) used
        where api_keys.id = used.key_id and api_keys.id = any(array(select key_id from post))),
    on_day as (
      insert into key_days (key_id, day, posts) select key_id, day, count(*) from post group by key_id, day
        on conflict (key_id, day) do update set posts = key_days.posts + excluded.posts),
    item as (
      insert into items (id, hub_number, kind, seq, created_at, ${contentNames}, status,
          author_kind, author_id, key_id, address, request_id)
        select id, hub, kind, seq, at, ${contentNames}, status, 'bot',
          (select bot_id from workspace), key_id, address, request_id from post order by n
        returning id, global_seq),
    terms as (
      insert into item_terms (global_seq, words, phrases)
        select item.global_seq, array_to_tsvector(string_to_array(post.words, ' ')), post.phrases
          from item join post on post.id = item.id)
    select sent.id, conversation_id, notes_bucket_id, todos_bucket_id, deleted_at, post.seq, global_seq,
        expires_at, overlap_ends_at, revoked_at
      from sent join locked using (key_id) left join post on post.n = sent.n left join item on item.id = sent.id`,
  toResult,
);

/** Finds posts that were written by a statement whose response was lost. */
const findWritten = rawQuery(
  sql`select items.id, ${resultColumns}, items.seq, global_seq, null, null, null
    from items join hubs on number = hub_number where items.id = any(${given('ids')}::text[])`,
  toResult,
);

const toArrays = (queued: readonly QueuedPost[]) => {
  const rows = queued.map(({ post }, n): Record<string, string | number | null> => rowOf(post, n));
  return Object.fromEntries(postColumns.map((name) => [name, rows.map((row) => row[name] ?? null)]));
};
const asHubLocked = (error: unknown): never => {
  throw isLockTimeout(error) ? new HubLocked() : error;
};

type Results = ReadonlyMap<string, PostResult>;
const byId = (results: readonly PostResult[]): Results => new Map(results.map((result) => [result.id, result]));

/** Returns the outcome of each post that was sent, in turn, and reports those that were written. */
function* outcomesOf(sent: readonly QueuedPost[], results: Results, report: CommitReportBuilder) {
  for (const { post, rule } of sent) {
    const { seq = null, globalSeq = 0, key = null, hub } = results.get(post.id) ?? {};
    if (hub && seq !== null) {
      report.event(post.hubId, seq, post.createdAt);
      report.post({ ...post, seq, globalSeq });
      yield { value: hub };
    } else yield { error: failureOf(() => rule.check(key, hub)) };
  }
}

function failureOf(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return new Error('A post was left out that its rule lets pass');
}

/** Finds the posts that a statement has written whose response was lost; `undefined`: none. */
export async function recoverPosts(
  on: ReadConnection,
  queued: readonly QueuedPost[],
  report: CommitReportBuilder,
): Promise<PostOutcome[] | undefined> {
  const results = byId(await on.all(findWritten, { ids: queued.map(({ post }) => post.id) }));
  if (results.size === 0) return undefined;
  const isWritten = ({ post }: QueuedPost): boolean => results.has(post.id);
  const outcomes = outcomesOf(queued.filter(isWritten), results, report);
  const leftOut = { error: new StoreUnavailable(new Error('The response of PostgreSQL was lost')) };
  return queued.map((each) => (isWritten(each) ? outcomes.next().value : null) ?? leftOut);
}

/** Writes many posts, and returns for each whether its rule let it pass; `null`: its Hub is locked. */
export function postChanges(on: Connection, report: CommitReportBuilder) {
  const lockKeys = async (keyIds: string[], wait: Wait) => {
    const unlimited = wait === 'short' ? null : on.run(unlimitWait);
    const mode = wait === 'none' ? 'no key update skip locked' : 'no key update';
    const [locked] = await Promise.all([on.lockAll(keysWithHubs, { keyIds }, mode), unlimited]);
    return new Map(locked.map((row) => [row.keyId, row]));
  };
  /** Adds what a post shows of its files. Its key is locked, if any of the posts has files. */
  const withFiles = ({ post, rule }: QueuedPost, key: LockedKey | undefined, files: FileRecord[]): QueuedPost => {
    if (!rule.files) return { post, rule };
    rule.check(key?.key ?? null, key?.hub);
    const described = rule.files.describe(files);
    for (const file of files) if (rule.files.ids.includes(file.id)) file.itemId = post.id;
    return { post: { ...post, files: described }, rule };
  };
  const addFilesAndMentions = async ({ post, rule }: QueuedPost, globalSeq: number) => {
    if (rule.files) await on.run(attach, { ids: toList(rule.files.ids), itemId: post.id });
    if (!rule.mentioned) return;
    const members = await on.all(listActive, { hubId: post.hubId });
    const mention = { isNamed: true, hasResponse: false, isUnread: true };
    // Sent together: a post can mention everybody.
    await Promise.all(
      Array.from(rule.mentioned(members), (userId) =>
        insertMention(on, report, { ...post, globalSeq }, { userId, ...mention }),
      ),
    );
  };
  return {
    /** Runs a single statement if the wait is short and no post has files or can mention anyone. */
    writeAll: async (queued: readonly QueuedPost[], wait: Wait): Promise<PostOutcome[]> => {
      const fileIds = queued.flatMap(({ rule }) => rule.files?.ids ?? []);
      const keyIds = [...new Set(queued.map(({ post }) => post.keyId))];
      const isLocking = wait !== 'short' || fileIds.length > 0;
      const locked = isLocking ? await lockKeys(keyIds, wait).catch(asHubLocked) : undefined;
      const files = fileIds.length === 0 ? [] : await on.all(findListed, { ids: toList(fileIds) });
      const prepared = queued.map((each): QueuedPost | { error: unknown } | null => {
        const key = locked?.get(each.post.keyId);
        if (wait === 'none' && !key) return null;
        try {
          return withFiles(each, key, files);
        } catch (error) {
          return { error };
        }
      });
      const sent = prepared.filter((each) => each !== null && 'post' in each);
      const results = byId(sent.length === 0 ? [] : await on.all(write, toArrays(sent)).catch(asHubLocked));
      const written = [...outcomesOf(sent, results, report)];
      for (const each of sent) {
        const { seq = null, globalSeq = 0 } = results.get(each.post.id) ?? {};
        if (seq !== null) await addFilesAndMentions(each, globalSeq);
      }
      return prepared.map((each) => (each !== null && 'post' in each ? (written.shift() ?? null) : each));
    },
  };
}

function rowOf(post: NewPost, n: number) {
  const { id, kind, createdAt, keyId, address, requestId } = post;
  const content = Object.fromEntries(contentColumns.map(({ name, inSql }) => [inSql, post[name]]));
  const columns = { id, kind, at: createdAt, ...content, status: FIRST_STATUS[kind] };
  const origin = { key_id: keyId, address, request_id: requestId };
  const { words, phrases } = indexedTerms(post);
  // Words contain no spaces, and an array of arrays cannot be unnested.
  const terms = { words: words.join(' '), phrases };
  return { n, ...columns, ...origin, bit: POST_BITS[kind], day: dayOf(createdAt), ...terms };
}
