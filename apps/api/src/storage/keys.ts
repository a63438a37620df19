import { ALL_SCOPES, type Scope } from '@hub/contract';
import { and, count, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { SinceBoot } from '../platform/ports.ts';
import type { AuditRecord } from './audit.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { AFTER_ALL_IDS, columnsWithout, given, listed, page, select, toList, whenRead } from './engine/query.ts';
import { insertInto, updatesOf } from './engine/write.ts';
import {
  hasKeyId,
  type KeyCounting,
  keyUsageChanges,
  keyUsageReads,
  type UnsavedPosts,
  type UnsavedPostsOf,
} from './key-usage.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { hubs } from './schema/hubs.table.ts';
import { users } from './schema/users.table.ts';

interface BlockTime {
  at: number;
  sinceBoot: SinceBoot | null;
}

interface BlockToSave {
  keyId: string;
  /** `null`: the block has ended. */
  until: number | null;
}

interface Block {
  keyId: string;
  until: number;
  sinceBoot: SinceBoot | null;
}
/** A block that begins at the time of its audit entry. */
export type NewBlock = Block & { audit: AuditRecord };
/** A block as saved when the clock showed `savedAt` and the machine had been running for `sinceBoot`. */
export type SavedBlock = Block & { savedAt: number };

/** At most one of the filters may be set. */
export interface KeyPageRequest extends PageRequest {
  hubId?: string | undefined;
  memberId?: string | undefined;
  issuerId?: string | undefined;
}

const scopes = sql`${apiKeys.scopes}`.mapWith((text: string) => text.split(' ') as Scope[]);
const times = { expiresAt: apiKeys.expiresAt, overlapEndsAt: apiKeys.overlapEndsAt, revokedAt: apiKeys.revokedAt };

/** The token hash, when a block was saved, and which posts the counters include are shown in no list. */
const keyColumns = columnsWithout(
  apiKeys,
  ...(['tokenHash', 'blockSavedAt', 'blockSavedSinceBootMs', 'blockSavedBoot', 'countedGlobalSeq'] as const),
  ...(['createdByKind', 'createdById', 'createdByName'] as const),
);
const listedColumns = {
  ...keyColumns,
  scopes,
  createdBy: { kind: apiKeys.createdByKind, id: apiKeys.createdById, name: apiKeys.createdByName },
  hubName: hubs.name,
  isHubDeleted: sql`${hubs.deletedAt} is not null`.mapWith(Boolean),
  // A join could not be locked: PostgreSQL locks no row that may be missing.
  isIssuerGone: sql`exists (select 1 from ${users} where ${users.id} = ${apiKeys.createdById}
    and ${users.disabledAt} is not null)`.mapWith(Boolean),
};

/**
 * A lock takes the Hub of a key and then the key, in the order of the tables, as posts do: so a revocation waits for
 * the posts that have seen the key valid, and later posts see the revocation. In the other order, a transaction would
 * wait for a post that waits for it.
 */
const find = select(listedColumns, hubs, hasKeyId, { joins: [[apiKeys, eq(apiKeys.hubId, hubs.id)]] });
const [before, limit] = [given('before'), given('limit')];
const listing = (filter?: SQL) => page(listedColumns, apiKeys.id, filter, [[hubs, eq(hubs.id, apiKeys.hubId)]]);
const lists = {
  none: listing(),
  hubId: listing(eq(apiKeys.hubId, given('hubId'))),
  issuerId: listing(eq(apiKeys.createdById, given('issuerId'))),
  // The newest keys of each Hub are read from its index: otherwise, all keys of all Hubs would be sorted.
  memberId: listing(sql`${apiKeys.id} in (
    select key.id from memberships mine
      join hubs hub on hub.id = mine.hub_id and hub.deleted_at is null
      join api_keys key on key.hub_id = mine.hub_id and key.id < ${before} and key.id >= coalesce(
        (select id from api_keys where hub_id = mine.hub_id and id < ${before} order by id desc
          limit 1 offset cast(${limit} as bigint) - 1), '')
      where mine.user_id = ${given('memberId')}
      order by key.id desc limit ${limit})`),
};

const { id, name, hubId } = apiKeys;
export const findCredential = select(
  { id, name, hubId, scopes, ...times, hubDeletedAt: hubs.deletedAt },
  apiKeys,
  eq(apiKeys.tokenHash, given('tokenHash')),
  { joins: [[hubs, eq(hubs.id, hubId)]] },
);
export type KeyCredential = RowOf<typeof findCredential>;

const used = select(
  { id, name, hubId, lastUsedAt: sql`${apiKeys.lastUsedAt}`.mapWith(Number) },
  apiKeys,
  and(sql`${hubId} in ${listed('hubIds')}`, isNotNull(apiKeys.lastUsedAt)),
  { orderBy: desc(apiKeys.lastUsedAt), limit },
);

const listBlocked = select(
  {
    keyId: id,
    // Both columns are set in every row that matches the condition.
    until: sql`${apiKeys.blockedUntil}`.mapWith(Number),
    savedAt: sql`${apiKeys.blockSavedAt}`.mapWith(Number),
    sinceBootMs: apiKeys.blockSavedSinceBootMs,
    boot: apiKeys.blockSavedBoot,
  },
  apiKeys,
  isNotNull(apiKeys.blockedUntil),
);

type ListedRow = RowOf<typeof find>;
/** A key as shown in lists, with the scopes that it has used at least once. */
export type KeyListing = Omit<ListedRow, 'usedKinds'> & { usedScopes: Scope[] };
export type KeyRecord = Omit<KeyListing, 'hubName' | 'isHubDeleted' | 'isIssuerGone' | 'usedScopes'>;
export type KeyChanges = Partial<
  Pick<KeyRecord, 'name' | 'description' | 'link' | 'successorId' | 'overlapEndsAt' | 'revokedAt'>
>;
export type KeyReads = ReturnType<typeof keyReads>;

const noneUnsaved: UnsavedPostsOf = () => undefined;

/** Reads keys. If posts are counted in memory, `unsavedOf` returns those that the rows do not include yet. */
export function keyReads(on: Connection, unsavedOf = noneUnsaved) {
  return {
    ...keyUsageReads(on, unsavedOf),
    find: async (keyId: string): Promise<KeyListing | null> =>
      whenRead(on.lock(find, { keyId }), (row) => (row ? withPosts(row, unsavedOf(row.id)) : null)),
    list: async ({ limit, before = AFTER_ALL_IDS, ...filter }: KeyPageRequest): Promise<KeyListing[]> => {
      const { hubId, memberId, issuerId } = filter;
      const kind = (['hubId', 'issuerId', 'memberId'] as const).find((name) => filter[name] !== undefined) ?? 'none';
      return whenRead(on.all(lists[kind], { limit, before, hubId, memberId, issuerId }), (rows) =>
        rows.map((row) => withPosts(row, unsavedOf(row.id))),
      );
    },
    /** Lists the keys of these Hubs that have been used, the last one first. */
    listUsed: async ({ hubIds, limit }: { hubIds: readonly string[]; limit: number }) =>
      on.all(used, { hubIds: toList(hubIds), limit }),
    findByTokenHash: async (tokenHash: Uint8Array) => (await on.first(findCredential, { tokenHash })) ?? null,
    /** Lists blocks that were not saved as ended, even if the clock says so: it may have been adjusted. */
    listBlocked: async (): Promise<SavedBlock[]> =>
      (await on.all(listBlocked)).map(({ sinceBootMs: ms, boot, ...block }) => ({
        ...block,
        sinceBoot: ms === null || boot === null ? null : { boot, ms },
      })),
  };
}

/** As `POST_BITS` has them for the kinds of posts. */
const BIT_OF_SCOPE: Readonly<Record<Scope, number>> = { 'messages:create': 1, 'notes:create': 2, 'todos:create': 4 };

function scopesOf(kinds: number): Scope[] {
  return ALL_SCOPES.filter((scope) => (kinds & BIT_OF_SCOPE[scope]) !== 0);
}

/** Requests are saved every few seconds, so after a kill a post can be newer than the last saved request. */
function withPosts({ usedKinds, ...row }: ListedRow, posts: UnsavedPosts | undefined): KeyListing {
  if (!posts) return { ...row, usedScopes: scopesOf(usedKinds) };
  const { byDay, kinds, last } = posts;
  const isNewer = last.at > (row.lastUsedAt ?? 0);
  return {
    ...row,
    usedScopes: scopesOf(usedKinds | kinds),
    postCount: byDay.values().reduce((sum, count) => sum + count, row.postCount),
    lastUsedAt: isNewer ? last.at : row.lastUsedAt,
    lastUsedAddress: isNewer ? last.address : row.lastUsedAddress,
  };
}

export const findKeyTimes = select(times, apiKeys, hasKeyId);
const lockHub = select({ id: hubs.id }, hubs, eq(hubs.id, given('hubId')));
const isUnexpired = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, given('at')));
const isActive = and(eq(hubId, given('hubId')), isNull(apiKeys.revokedAt), isNull(apiKeys.successorId), isUnexpired);
const countActive = select({ count: count() }, apiKeys, isActive);
const insert = insertInto(apiKeys, {
  columns: [
    ...(Object.keys(keyColumns) as (keyof typeof keyColumns)[]),
    ...(['tokenHash', 'createdByKind', 'createdById', 'createdByName'] as const),
  ],
});
const updates = updatesOf(apiKeys, hasKeyId);

export function keyChanges(on: Connection, counts: KeyCounting, keysChanged: (keyId: string) => void = () => {}) {
  return {
    ...keyReads(on, counts.unsaved),
    ...keyUsageChanges(on, counts),
    /** Counts the keys of a Hub that are valid at `at` and have no successor. */
    countActive: async (hubId: string, at: number): Promise<number> => {
      // Locked, so that two transactions cannot both issue the last key that is allowed.
      await on.lock(lockHub, { hubId });
      return (await on.first(countActive, { hubId, at }))?.count ?? 0;
    },
    insert: async ({ createdBy, scopes, ...row }: KeyRecord, tokenHash: Uint8Array) => {
      const { kind: createdByKind, id: createdById, name: createdByName } = createdBy;
      const issuer = { createdByKind, createdById, createdByName };
      return on.run(insert, { ...row, ...issuer, tokenHash, scopes: scopes.join(' '), usedKinds: 0 });
    },
    update: async (keyId: string, changes: KeyChanges) => {
      keysChanged(keyId);
      return on.run(updates(changes), { ...changes, keyId });
    },
    saveBlock: async ({ keyId, until }: BlockToSave, { at, sinceBoot }: BlockTime) => {
      const { ms = null, boot = null } = (until === null ? null : sinceBoot) ?? {};
      const saved = { blockSavedAt: until === null ? null : at, blockSavedSinceBootMs: ms, blockSavedBoot: boot };
      const block = { blockedUntil: until, ...saved };
      return on.run(updates(block), { ...block, keyId });
    },
  };
}
