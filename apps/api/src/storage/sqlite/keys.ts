import type { Scope } from '@hub/contract';
import { and, count, desc, eq, getTableColumns, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { dayOf } from '../../core/time.ts';
import {
  type BlockTime,
  type BlockToSave,
  type KeyChanges,
  type KeyCredential,
  type KeyDayRecord,
  type KeyListing,
  type KeyPageRequest,
  type KeyRecord,
  type KeyUsageTally,
  type SavedBlock,
  scopesOf,
} from '../key-store.ts';
import { listHubIds } from '../memberships.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { keyDays } from '../schema/item-details.table.ts';
import { users } from '../schema/users.table.ts';
import type { CredentialCache } from './credential-cache.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared, SqliteConnection } from './engine/statements.ts';
import { keyAddressReads } from './key-addresses.ts';
import { newestIds, type ReadIds } from './merge-lists.ts';
import type { PostCounts } from './post-counts.ts';

const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

export function keyReads(db: Db, counts: PostCounts) {
  return {
    ...listingReads(db, counts),
    ...credentialReads(db),
    usageByDay: dayReads(db, counts),
    addresses: keyAddressReads(db),
  };
}

/** Columns that no list shows: the token hash, when a block was saved, and which posts the counters include. */
type Unlisted = 'tokenHash' | 'blockSavedAt' | 'blockSavedSinceBootMs' | 'blockSavedBoot' | 'countedRank';
const {
  tokenHash: _hash,
  blockSavedAt: _notedAt,
  blockSavedSinceBootMs: _sinceBoot,
  blockSavedBoot: _boot,
  countedRank: _countedRank,
  ...keyColumns
} = getTableColumns(apiKeys);
const listed = { ...keyColumns, hubName: hubs.name, hubDeletedAt: hubs.deletedAt, issuerDisabledAt: users.disabledAt };

type ListedRow = Omit<typeof apiKeys.$inferSelect, Unlisted> & {
  hubName: string;
  hubDeletedAt: number | null;
  issuerDisabledAt: number | null;
};

/** Reads keys for lists. Their post counts include posts that so far only `counts` knows of. */
function listingReads(db: Db, counts: PostCounts) {
  const toListing = ({
    createdByKind,
    createdById,
    createdByName,
    scopes,
    hubDeletedAt,
    issuerDisabledAt,
    usedKinds,
    ...row
  }: ListedRow): KeyListing => ({
    ...row,
    scopes: splitScopes(scopes),
    createdBy: { kind: createdByKind, id: createdById, name: createdByName },
    isHubDeleted: hubDeletedAt !== null,
    isIssuerGone: issuerDisabledAt !== null,
    postCount: row.postCount + counts.pending(row.id),
    ...lastUse(row, counts.pendingLast(row.id)),
    usedScopes: scopesOf(usedKinds | counts.kinds(row.id)),
  });
  const selectListed = () =>
    db
      .select(listed)
      .from(apiKeys)
      .innerJoin(hubs, eq(hubs.id, apiKeys.hubId))
      .leftJoin(users, eq(users.id, apiKeys.createdById));
  const find = prepared(db, () => selectListed().where(eq(apiKeys.id, sql.placeholder('id'))));
  const listing = (filter?: SQL) =>
    prepared(db, () =>
      selectListed()
        .where(and(filter, lt(apiKeys.id, sql.placeholder('before'))))
        .orderBy(desc(apiKeys.id))
        .limit(sql.placeholder('limit')),
    );
  const listAll = listing();
  const listOfHub = listing(eq(apiKeys.hubId, sql.placeholder('hubId')));
  const listOfIssuer = listing(eq(apiKeys.createdById, sql.placeholder('issuerId')));
  const idsOfHub = prepared(db, () =>
    db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(eq(apiKeys.hubId, sql.placeholder('hubId')), lt(apiKeys.id, sql.placeholder('before'))))
      .orderBy(desc(apiKeys.id))
      .limit(sql.placeholder('limit')),
  );
  const listByIds = prepared(db, () =>
    selectListed().where(sql`${apiKeys.id} in (select value from json_each(${sql.placeholder('ids')}))`),
  );
  const on = new SqliteConnection(db);
  const findListed = (id: string): KeyListing | null => {
    const row = find.get({ id });
    return row ? toListing(row) : null;
  };
  /** Reads each of the user's Hubs from the index: a single statement for all of them would sort all their keys. */
  const listOfMember = (memberId: string, limit: number, before: string): KeyListing[] => {
    const idsOf =
      (hubId: string): ReadIds =>
      (from, count) =>
        idsOfHub.all({ hubId, before: from, limit: count }).map(({ id }) => id);
    const hubIds = on.all(listHubIds, { userId: memberId }).map(({ id }) => id);
    const ids = newestIds(hubIds.map(idsOf), before, limit);
    const rows = new Map(listByIds.all({ ids: JSON.stringify(ids) }).map((row) => [row.id, row]));
    return ids.flatMap((id) => rows.get(id) ?? []).map(toListing);
  };

  return {
    find: findListed,
    list: ({ limit, before = AFTER_ALL_IDS, hubId, memberId, issuerId }: KeyPageRequest): KeyListing[] => {
      if (hubId !== undefined) return listOfHub.all({ limit, before, hubId }).map(toListing);
      if (issuerId !== undefined) return listOfIssuer.all({ limit, before, issuerId }).map(toListing);
      if (memberId !== undefined) return listOfMember(memberId, limit, before);
      return listAll.all({ limit, before }).map(toListing);
    },
  };
}

/** Reads key usage by day, including posts that so far only `counts` knows of. */
function dayReads(db: Db, counts: PostCounts) {
  const list = prepared(db, () =>
    db
      .select({ day: keyDays.day, requests: keyDays.requests, posts: keyDays.posts, blocks: keyDays.blocks })
      .from(keyDays)
      .where(and(eq(keyDays.keyId, sql.placeholder('keyId')), gte(keyDays.day, sql.placeholder('fromDay'))))
      .orderBy(keyDays.day),
  );
  const usageOf = (keyId: string, fromDay: number): KeyDayRecord[] => {
    const days = list.all({ keyId, fromDay });
    for (const [day, posts] of counts.pendingByDay(keyId)) {
      const known = days.find((each) => each.day === day);
      if (known) known.posts += posts;
      else if (day >= fromDay) days.push({ day, requests: 0, posts, blocks: 0 });
    }
    return days.sort((one, other) => one.day - other.day);
  };
  return (keyIds: readonly string[], fromDay: number): Map<string, KeyDayRecord[]> =>
    new Map(
      keyIds.flatMap((keyId) => {
        const days = usageOf(keyId, fromDay);
        return days.length === 0 ? [] : [[keyId, days] as const];
      }),
    );
}

/** Reads what authentication needs to know about keys. */
function credentialReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        hubId: apiKeys.hubId,
        scopes: apiKeys.scopes,
        expiresAt: apiKeys.expiresAt,
        overlapEndsAt: apiKeys.overlapEndsAt,
        revokedAt: apiKeys.revokedAt,
        hubDeletedAt: hubs.deletedAt,
      })
      .from(apiKeys)
      .innerJoin(hubs, eq(hubs.id, apiKeys.hubId))
      .where(eq(apiKeys.tokenHash, sql.placeholder('tokenHash'))),
  );
  const listBlocked = prepared(db, () =>
    db
      .select({
        keyId: apiKeys.id,
        // Both columns are set in every row that matches the condition.
        until: sql<number>`${apiKeys.blockedUntil}`,
        savedAt: sql<number>`${apiKeys.blockSavedAt}`,
        sinceBootMs: apiKeys.blockSavedSinceBootMs,
        boot: apiKeys.blockSavedBoot,
      })
      .from(apiKeys)
      .where(isNotNull(apiKeys.blockedUntil)),
  );

  return {
    findByTokenHash: (tokenHash: Uint8Array): KeyCredential | null => {
      const row = find.get({ tokenHash });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    listBlocked: (): SavedBlock[] =>
      listBlocked.all().map(({ sinceBootMs: ms, boot, ...block }) => ({
        ...block,
        sinceBoot: ms === null || boot === null ? null : { boot, ms },
      })),
  };
}

/** Each function runs inside a transaction. `credentials` is invalidated when a key changes. */
export function keyChanges(
  db: Db,
  {
    counts,
    credentials,
    find,
  }: {
    counts: PostCounts;
    credentials: Pick<CredentialCache, 'invalidate'>;
    find: (keyId: string) => KeyListing | null;
  },
) {
  /** Keys whose validity may have changed since the start. For all others, a post needs no look-up. */
  const changed = new Set<string>();
  const saveBlock = prepared(db, () =>
    db
      .update(apiKeys)
      .set({
        blockedUntil: sql`${sql.placeholder('until')}`,
        blockSavedAt: sql`${sql.placeholder('savedAt')}`,
        blockSavedSinceBootMs: sql`${sql.placeholder('ms')}`,
        blockSavedBoot: sql`${sql.placeholder('boot')}`,
      })
      .where(eq(apiKeys.id, sql.placeholder('keyId'))),
  );
  const countBlock = prepared(db, () =>
    db
      .insert(keyDays)
      .values({ keyId: sql.placeholder('keyId'), day: sql.placeholder('day'), blocks: 1 })
      .onConflictDoUpdate({ target: [keyDays.keyId, keyDays.day], set: { blocks: sql`${keyDays.blocks} + 1` } }),
  );

  return {
    reads: {
      /** Returns the key if its validity may have changed since the server started, otherwise `null`. */
      findIfChanged: (keyId: string): KeyListing | null => (changed.has(keyId) ? find(keyId) : null),
      countActive: (hubId: string, at: number): number => {
        const isActive = and(
          eq(apiKeys.hubId, hubId),
          isNull(apiKeys.revokedAt),
          isNull(apiKeys.successorId),
          or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
        );
        return db.select({ count: count() }).from(apiKeys).where(isActive).get()?.count ?? 0;
      },
    },
    changes: {
      insert: ({ createdBy, scopes, ...row }: KeyRecord, tokenHash: Uint8Array): void => {
        db.insert(apiKeys)
          .values({
            ...row,
            tokenHash: Buffer.from(tokenHash),
            scopes: scopes.join(' '),
            createdByKind: createdBy.kind,
            createdById: createdBy.id,
            createdByName: createdBy.name,
          })
          .run();
      },
      update: (keyId: string, changes: KeyChanges): void => {
        changed.add(keyId);
        credentials.invalidate();
        db.update(apiKeys).set(changes).where(eq(apiKeys.id, keyId)).run();
      },
      saveBlock: ({ keyId, until }: BlockToSave, { at, sinceBoot }: BlockTime): void => {
        const time = until === null ? null : { at, ...sinceBoot };
        saveBlock.run({ keyId, until, savedAt: time?.at ?? null, ms: time?.ms ?? null, boot: time?.boot ?? null });
      },
      countBlock: (keyId: string, at: number): void => {
        countBlock.run({ keyId, day: dayOf(at) });
      },
      addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): void => counts.save(tallies),
    },
  };
}

type LastUse = Pick<KeyListing, 'lastUsedAt' | 'lastUsedAddress'>;

/** Requests are saved every few seconds, so after a kill a post can be newer than the last saved request. */
function lastUse({ lastUsedAt, lastUsedAddress }: LastUse, post: { at: number; address: string } | undefined): LastUse {
  if (!post || post.at <= (lastUsedAt ?? 0)) return { lastUsedAt, lastUsedAddress };
  return { lastUsedAt: post.at, lastUsedAddress: post.address };
}
