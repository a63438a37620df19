import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { KeyDayRecord } from '../key-use.ts';
import type { KeyListing, KeyPageRequest } from '../store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { splitScopes } from './key-credentials.queries.ts';
import { membershipReads } from './membership-reads.queries.ts';
import { newestIds, type ReadIds } from './newest-ids.ts';
import type { PostCounts } from './post-counts.ts';
import { scopesOf } from './post-kinds.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { keyDays } from './tables/item-details.table.ts';
import { users } from './tables/users.table.ts';

/** Columns that no list shows: the token hash, and the time at which a block was saved. */
type Unlisted = 'tokenHash' | 'blockNotedAt' | 'blockNotedSinceBootMs' | 'blockNotedBoot';
const {
  tokenHash: _hash,
  blockNotedAt: _notedAt,
  blockNotedSinceBootMs: _sinceBoot,
  blockNotedBoot: _boot,
  ...keyColumns
} = getTableColumns(apiKeys);
const listed = { ...keyColumns, hubName: hubs.name, hubDeletedAt: hubs.deletedAt, issuerDisabledAt: users.disabledAt };

type ListedRow = Omit<typeof apiKeys.$inferSelect, Unlisted> & {
  hubName: string;
  hubDeletedAt: number | null;
  issuerDisabledAt: number | null;
};

/** Reads keys for lists. Their post counts include posts that so far only `counts` knows of. */
export function keyReads(db: Db, counts: PostCounts) {
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
    usedScopes: scopesOf(usedKinds | counts.kinds(row.id)),
  });
  const selectListed = () =>
    db
      .select(listed)
      .from(apiKeys)
      .innerJoin(hubs, eq(hubs.id, apiKeys.hubId))
      .leftJoin(users, eq(users.id, apiKeys.createdById));
  const find = selectListed()
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();
  const listing = (filter?: SQL) =>
    selectListed()
      .where(and(filter, lt(apiKeys.id, sql.placeholder('before'))))
      .orderBy(desc(apiKeys.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const listAll = listing();
  const listOfHub = listing(eq(apiKeys.hubId, sql.placeholder('hubId')));
  const listOfIssuer = listing(eq(apiKeys.createdById, sql.placeholder('issuerId')));
  const idsOfHub = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.hubId, sql.placeholder('hubId')), lt(apiKeys.id, sql.placeholder('before'))))
    .orderBy(desc(apiKeys.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const listByIds = selectListed()
    .where(sql`${apiKeys.id} in (select value from json_each(${sql.placeholder('ids')}))`)
    .prepare();
  const { listHubIds } = membershipReads(db);
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
    const ids = newestIds(listHubIds(memberId).map(idsOf), before, limit);
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
export function keyDayReads(db: Db, counts: PostCounts) {
  const list = db
    .select({ day: keyDays.day, requests: keyDays.requests, posts: keyDays.posts, blocks: keyDays.blocks })
    .from(keyDays)
    .where(and(eq(keyDays.keyId, sql.placeholder('keyId')), gte(keyDays.day, sql.placeholder('fromDay'))))
    .orderBy(keyDays.day)
    .prepare();
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
