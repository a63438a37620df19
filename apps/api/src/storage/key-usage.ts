import { and, eq, getTableColumns, gte, type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { dayOf } from '../platform/time.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, given, listed, select, toList, whenRead } from './engine/query.ts';
import { deleteFrom, insertInto, update } from './engine/write.ts';
import type { ItemKind } from './items.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { idOf } from './schema/column-types.ts';

export const keyDays = sqliteTable(
  'key_days',
  {
    keyId: idOf(() => apiKeys.id),
    day: integer().notNull(),
    requests: integer().notNull().default(0),
    posts: integer().notNull().default(0),
    blocks: integer().notNull().default(0),
  },
  (keyDay) => [primaryKey({ columns: [keyDay.keyId, keyDay.day] })],
);

/** The addresses from which each key was last used; only a few are kept per key. */
export const keyAddresses = sqliteTable(
  'key_addresses',
  {
    keyId: idOf(() => apiKeys.id),
    address: text().notNull(),
    lastUsedAt: integer().notNull(),
    requests: integer().notNull(),
  },
  (keyAddress) => [primaryKey({ columns: [keyAddress.keyId, keyAddress.address] })],
);

/** Kinds of posts as a bit set, so that the kinds of a key can be updated without reading them first. */
export const POST_BITS: Readonly<Record<ItemKind, number>> = { message: 1, note: 2, todo: 4 };

/** How many keys one transaction saves. With thousands, it would hold up the posts for a tenth of a second. */
export const KEYS_PER_SAVE = 64;

export interface KeyUsageTally {
  requestCount: number;
  lastUsedAt: number;
  lastUsedAddress: string;
  addresses: readonly KeyAddressRecord[];
}

/** How many posts by a key were accepted on each day (days since 1970, UTC). Usually a single day. */
export type PostsByDay = ReadonlyMap<number, number>;

/** The posts by a key that its rows do not include yet. */
export interface UnsavedPosts {
  byDay: PostsByDay;
  kinds: number;
  last: { at: number; address: string };
}
export type UnsavedPostsOf = (keyId: string) => UnsavedPosts | undefined;

/** How a database counts the posts and requests of keys. */
export interface KeyCounting {
  unsaved: UnsavedPostsOf;
  save(on: Connection, tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void>;
}

/** Enough to see which clients have moved to the key's successor. Ever-changing addresses must not fill the disk. */
export const MAX_ADDRESSES = 20;

const inDays = and(sql`${keyDays.keyId} in ${listed('keyIds')}`, gte(keyDays.day, given('fromDay')));
const listDays = select(getTableColumns(keyDays), keyDays, inDays);
const ofKey = eq(keyAddresses.keyId, given('keyId'));
const listAddresses = select(columnsWithout(keyAddresses, 'keyId'), keyAddresses, ofKey);

/** Usage of a key on one day (days since 1970, UTC). `blocks`: those that began on this day. */
type KeyDayRecord = Omit<RowOf<typeof listDays>, 'keyId'>;
export type KeyAddressRecord = RowOf<typeof listAddresses>;

async function addressesOf(on: Connection, keyId: string): Promise<KeyAddressRecord[]> {
  return (await on.all(listAddresses, { keyId })).sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

export function keyUsageReads(on: Connection, unsavedOf: UnsavedPostsOf) {
  return {
    /** Returns the usage of these keys by day, oldest first. Days and keys without usage are left out. */
    usageByDay: async (keyIds: readonly string[], fromDay: number): Promise<ReadonlyMap<string, KeyDayRecord[]>> =>
      whenRead(on.all(listDays, { keyIds: toList(keyIds), fromDay }), (rows) => {
        const saved = Map.groupBy(rows, ({ keyId }) => keyId);
        return new Map(
          keyIds.flatMap((keyId) => {
            const days = saved.get(keyId)?.map(({ keyId: _, ...day }) => day) ?? [];
            addPosts(days, unsavedOf(keyId)?.byDay ?? new Map(), fromDay);
            return days.length === 0 ? [] : [[keyId, days.sort((one, other) => one.day - other.day)] as const];
          }),
        );
      }),
    /** Returns the addresses from which this key was used, most recent first; only the last few are kept. */
    addresses: (keyId: string): Promise<KeyAddressRecord[]> => addressesOf(on, keyId),
  };
}

function addPosts(days: KeyDayRecord[], byDay: PostsByDay, fromDay: number): void {
  for (const [day, posts] of byDay) {
    const saved = days.find((each) => each.day === day);
    if (saved) saved.posts += posts;
    else if (day >= fromDay) days.push({ day, requests: 0, posts, blocks: 0 });
  }
}

const bigint = (name: string): SQL => sql`cast(${given(name)} as bigint)`;
export const hasKeyId = eq(apiKeys.id, given('keyId'));
/** The changes to a key's row by requests that were made with it. */
export const addedRequests = {
  requestCount: sql`${apiKeys.requestCount} + ${bigint('requestCount')}`,
  lastUsedAt: sql`coalesce(${bigint('lastUsedAt')}, ${apiKeys.lastUsedAt})`,
  lastUsedAddress: sql`coalesce(cast(${given('lastUsedAddress')} as text), ${apiKeys.lastUsedAddress})`,
};
const addToDay = insertInto(keyDays, { key: ['keyId', 'day'], add: ['requests', 'posts', 'blocks'] });
const ofAddress = and(ofKey, eq(keyAddresses.address, given('address')));
const updateAddress = update(
  keyAddresses,
  {
    // Nodes save in any order.
    lastUsedAt: sql`case when ${keyAddresses.lastUsedAt} > ${bigint('lastUsedAt')} then ${keyAddresses.lastUsedAt}
      else ${bigint('lastUsedAt')} end`,
    requests: sql`${keyAddresses.requests} + ${bigint('requests')}`,
  },
  ofAddress,
);
const insertAddress = insertInto(keyAddresses);
const deleteAddress = deleteFrom(keyAddresses, ofAddress);

/** Adds to the days and addresses of a key, whose row the transaction must have changed before: that locks it. */
export async function addDaysAndAddresses(
  on: Connection,
  keyId: string,
  { posts, tally }: { posts: PostsByDay; tally: KeyUsageTally | undefined },
): Promise<void> {
  const requestDay = tally && dayOf(tally.lastUsedAt);
  for (const day of new Set(requestDay === undefined ? posts.keys() : [...posts.keys(), requestDay])) {
    const requests = day === requestDay ? tally?.requestCount : 0;
    await on.run(addToDay, { keyId, day, requests, posts: posts.get(day) ?? 0, blocks: 0 });
  }
  let isAnyNew = false;
  for (const each of tally?.addresses ?? []) {
    // Nearly always, the key has been used from this address before.
    if ((await on.run(updateAddress, { keyId, ...each })) > 0) continue;
    await on.run(insertAddress, { keyId, ...each });
    isAnyNew = true;
  }
  if (!isAnyNew) return;
  for (const { address } of (await addressesOf(on, keyId)).slice(MAX_ADDRESSES))
    await on.run(deleteAddress, { keyId, address });
}

export function keyUsageChanges(on: Connection, counts: KeyCounting) {
  return {
    countBlock: async (keyId: string, at: number) =>
      on.run(addToDay, { keyId, day: dayOf(at), requests: 0, posts: 0, blocks: 1 }),
    /**
     * Adds the requests since the last call. Where posts are counted in memory (SQLite), it also saves those of these
     * keys, and of others up to `KEYS_PER_SAVE` that have waited longest. Reads always include every post.
     */
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> => counts.save(on, tallies),
  };
}
