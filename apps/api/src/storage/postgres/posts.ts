import { eq, sql } from 'drizzle-orm';
import { dayOf } from '../../platform/time.ts';
import type { CommitReportBuilder } from '../commit-report.ts';
import { given, rawQuery, select, toList } from '../engine/query.ts';
import { isLockTimeout } from '../engine/storage-error.ts';
import { rawWrite } from '../engine/write.ts';
import { type SequencedHub, sequencedHub } from '../events.ts';
import { attach, findListed } from '../files.ts';
import { FIRST_STATUS, type NewPost } from '../items.ts';
import { type KeyCounting, MAX_ADDRESSES, POST_BITS } from '../key-usage.ts';
import { listActive } from '../memberships.ts';
import { insertMention } from '../mentions.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { columnName } from '../schema/columns.ts';
import { hubs } from '../schema/hubs.table.ts';
import { CONTENT_COLUMNS, items } from '../schema/items.table.ts';
import type { PostRule } from '../store.ts';
import type { Outcome } from './engine/batches.ts';
import type { Connection } from './engine/connection.ts';
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
  {
    keyId: apiKeys.id,
    key: { expiresAt, overlapEndsAt, revokedAt },
    hub: { number: hubs.number, ...sequencedHub },
  },
  hubs,
  sql`${apiKeys.id} = any(${given('keyIds')}::text[])`,
  { joins: [[apiKeys, eq(apiKeys.hubId, hubs.id)]], orderBy: [hubs.id, apiKeys.id] },
);

const contentColumns = CONTENT_COLUMNS.map((name) => {
  const column = items[name];
  return { name, inSql: columnName(column), type: column.getSQLType() === 'integer' ? 'bigint' : 'text' };
});
const contentNames = sql.raw(contentColumns.map(({ inSql }) => inSql).join(', '));

/** The columns of `post` below, with their types. */
const POST_COLUMNS = {
  ...{ n: 'integer', id: 'text', hub: 'bigint', kind: 'text', seq: 'bigint', at: 'bigint' },
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

/** Writes posts with their events, and counts them. The rows of their Hubs and keys are locked. */
const write = rawQuery(
  sql`with post as materialized (
      select * from unnest(${postArrays}) as post(${sql.raw(postColumns.join(', '))})),
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
        -- Without the array, PostgreSQL expects so many posts that it reads all keys.
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
    select id, global_seq from item`,
  ([id, globalSeq]: readonly [string, string]) => [id, Number(globalSeq)] as const,
);

type PostRow = Record<string, string | number | null>;
const toArrays = (rows: readonly PostRow[]) =>
  Object.fromEntries(postColumns.map((name) => [name, rows.map((row) => row[name] ?? null)]));

/** Writes many posts, in two round trips, and reports for each whether its check let it pass. */
export function postChanges(on: Connection, report: CommitReportBuilder) {
  const lockKeys = async (keyIds: string[], wait: Wait) => {
    const unlimited = wait === 'short' ? null : on.run(unlimitWait);
    const mode = wait === 'none' ? 'no key update skip locked' : 'no key update';
    const [locked] = await Promise.all([on.lockAll(keysWithHubs, { keyIds }, mode), unlimited]);
    return new Map(locked.map((row) => [row.keyId, row]));
  };
  const asHubLocked = (error: unknown): never => {
    throw isLockTimeout(error) ? new HubLocked() : error;
  };
  return {
    writeAll: async (queued: readonly QueuedPost[], wait: Wait): Promise<PostOutcome[]> => {
      const locked = await lockKeys([...new Set(queued.map(({ post }) => post.keyId))], wait).catch(asHubLocked);
      const hubs = new Map<string, SequencedHub & { number: number }>();
      const fileIds = queued.flatMap(({ rule }) => rule.files?.ids ?? []);
      const files = fileIds.length === 0 ? [] : await on.all(findListed, { ids: toList(fileIds) });
      const rows: PostRow[] = [];
      const written: { post: NewPost & { seq: number }; rule: PostRule }[] = [];
      const outcomes = queued.map(({ post, rule }): PostOutcome => {
        const row = locked.get(post.keyId);
        if (wait === 'none' && !row) return null;
        const { key = null, hub: read } = row ?? {};
        let described: string | null = null;
        try {
          rule.check(key, read);
          if (rule.files) described = rule.files.describe(files);
        } catch (error) {
          return { error };
        }
        if (!read) throw new Error('A post has no Hub');
        for (const file of files) if (rule.files?.ids.includes(file.id)) file.itemId = post.id;
        const before = hubs.get(post.hubId) ?? read;
        const hub = { ...before, seq: before.seq + 1 };
        hubs.set(post.hubId, hub);
        const item = { ...post, files: described };
        rows.push(rowOf(item, { n: rows.length, hub: hub.number, seq: hub.seq }));
        written.push({ post: { ...item, seq: hub.seq }, rule });
        return { value: hub };
      });
      if (rows.length === 0) return outcomes;
      const globalSeqs = new Map(await on.all(write, toArrays(rows)).catch(asHubLocked));
      for (const { post, rule } of written) {
        const item = { ...post, globalSeq: globalSeqs.get(post.id) ?? 0 };
        report.event(post.hubId, post.seq, post.createdAt);
        report.post(item);
        if (rule.files) await on.run(attach, { ids: toList(rule.files.ids), itemId: post.id });
        if (!rule.mentioned) continue;
        const members = await on.all(listActive, { hubId: post.hubId });
        const mention = { isNamed: true, hasResponse: false, isUnread: true };
        // Sent together: a post can mention everybody.
        await Promise.all(
          Array.from(rule.mentioned(members), (userId) => insertMention(on, report, item, { userId, ...mention })),
        );
      }
      return outcomes;
    },
  };
}

function rowOf(post: NewPost, numbers: { n: number; hub: number; seq: number }): PostRow {
  const { id, kind, createdAt, keyId, address, requestId } = post;
  const content = Object.fromEntries(contentColumns.map(({ name, inSql }) => [inSql, post[name]]));
  const columns = { id, kind, at: createdAt, ...content, status: FIRST_STATUS[kind] };
  const origin = { key_id: keyId, address, request_id: requestId };
  const { words, phrases } = indexedTerms(post);
  // Words contain no spaces, and an array of arrays cannot be unnested.
  const terms = { words: words.join(' '), phrases };
  return { ...numbers, ...columns, ...origin, bit: POST_BITS[kind], day: dayOf(createdAt), ...terms };
}

/** Adds the usage of keys, locked as posts lock them, and returns those that were used from a new address. */
const addUsage = rawQuery(
  sql`with used as (
      select key.id, tally.* from api_keys key
        join unnest(${given('keyIds')}::text[], ${given('requests')}::bigint[], ${given('lastUsedAts')}::bigint[],
          ${given('lastUsedAddresses')}::text[], ${given('days')}::bigint[]) as tally(key_id, requests, at, address, day)
          on tally.key_id = key.id
        where key.id = any(${given('keyIds')}::text[]) order by key.hub_id, key.id for no key update of key),
    counted as (
      update api_keys set request_count = request_count + used.requests, last_used_at = used.at,
          last_used_address = used.address
        from used where api_keys.id = used.id),
    on_day as (
      insert into key_days (key_id, day, requests) select id, day, requests from used
        on conflict (key_id, day) do update set requests = key_days.requests + excluded.requests),
    by_address as (
      insert into key_addresses (key_id, address, last_used_at, requests)
        select use.key_id, use.address, use.at, use.requests
          from unnest(${given('addressKeyIds')}::text[], ${given('addresses')}::text[], ${given('ats')}::bigint[],
            ${given('addressRequests')}::bigint[]) as use(key_id, address, at, requests) join used on used.id = use.key_id
        on conflict (key_id, address) do update set requests = key_addresses.requests + excluded.requests,
          last_used_at = greatest(key_addresses.last_used_at, excluded.last_used_at)
        returning key_id, xmax = 0 as is_new)
    select distinct key_id from by_address where is_new`,
  ([keyId]: readonly [string]) => keyId,
);
const deleteOldAddresses = rawWrite(
  sql`delete from key_addresses where (key_id, address) in (
      select key_id, address from (
        select key_id, address, row_number() over (partition by key_id order by last_used_at desc) as position
          from key_addresses where key_id = any(${given('keyIds')}::text[])) used
        where position > ${sql.raw(String(MAX_ADDRESSES))})`,
);

/** Posts are counted by the statement that writes them (`posts.ts`). */
export const keyCounting: KeyCounting = {
  unsaved: () => undefined,
  save: async (on, tallies) => {
    if (tallies.size === 0) return;
    const used = [...tallies];
    const uses = used.flatMap(([keyId, { addresses }]) => addresses.map((address) => ({ keyId, ...address })));
    const newlyUsed = await on.all(addUsage, {
      keyIds: used.map(([keyId]) => keyId),
      requests: used.map(([, { requestCount }]) => requestCount),
      lastUsedAts: used.map(([, { lastUsedAt }]) => lastUsedAt),
      lastUsedAddresses: used.map(([, { lastUsedAddress }]) => lastUsedAddress),
      days: used.map(([, { lastUsedAt }]) => dayOf(lastUsedAt)),
      addressKeyIds: uses.map(({ keyId }) => keyId),
      addresses: uses.map(({ address }) => address),
      ats: uses.map(({ lastUsedAt }) => lastUsedAt),
      addressRequests: uses.map(({ requests }) => requests),
    });
    if (newlyUsed.length > 0) await on.run(deleteOldAddresses, { keyIds: newlyUsed });
  },
};
