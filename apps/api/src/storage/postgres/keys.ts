import type { Scope } from '@hub/contract';
import { and, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import {
  type BlockTime,
  type BlockToSave,
  type KeyChanges,
  type KeyCredential,
  type KeyListing,
  type KeyPageRequest,
  type KeyRecord,
  type SavedBlock,
  scopesOf,
} from '../key-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { keyUsageChanges, keyUsageReads } from './key-usage.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { users } from './tables/users.table.ts';

const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

const {
  tokenHash: _hash,
  blockSavedAt: _notedAt,
  blockSavedSinceBootMs: _sinceBoot,
  blockSavedBoot: _boot,
  ...keyColumns
} = getTableColumns(apiKeys);
const listed = { ...keyColumns, hubName: hubs.name, hubDeletedAt: hubs.deletedAt, issuerDisabledAt: users.disabledAt };

const selectListed = () =>
  build
    .select(listed)
    .from(apiKeys)
    .innerJoin(hubs, eq(hubs.id, apiKeys.hubId))
    .leftJoin(users, eq(users.id, apiKeys.createdById));
type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number];

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
  usedScopes: scopesOf(usedKinds),
});

const hasId = eq(apiKeys.id, sql.placeholder('id'));
const find = statement(selectListed().where(hasId));
/**
 * Locks the Hub of a key and then the key, in the order of the tables in the query. Every transaction that reads a key
 * does, and posts do, too: so a revocation waits for the posts that have seen the key valid, and later posts see the
 * revocation, on every node. A transaction that locks the key first and then the Hub would wait for a post that waits for it.
 */
const findLocked = statement(
  build
    .select(listed)
    .from(hubs)
    .innerJoin(apiKeys, eq(apiKeys.hubId, hubs.id))
    .leftJoin(users, eq(users.id, apiKeys.createdById))
    .where(hasId)
    .for('no key update', { of: [hubs, apiKeys] }),
);

const listing = (filter?: SQL) =>
  statement(
    selectListed()
      .where(and(filter, lt(apiKeys.id, sql.placeholder('before'))))
      .orderBy(desc(apiKeys.id))
      .limit(sql.placeholder('limit')),
  );
const lists = {
  all: listing(),
  ofHub: listing(eq(apiKeys.hubId, sql.placeholder('hubId'))),
  ofIssuer: listing(eq(apiKeys.createdById, sql.placeholder('issuerId'))),
  ofMember: listing(
    sql`${apiKeys.hubId} in (select member.hub_id from memberships as member join hubs as mine on mine.id = member.hub_id
      where member.user_id = ${sql.placeholder('memberId')} and mine.deleted_at is null)`,
  ),
};

const findCredential = statement(
  build
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
const listBlocked = statement(
  build
    .select({
      keyId: apiKeys.id,
      // Both columns are set in every row that matches the condition.
      until: sql`${apiKeys.blockedUntil}`.mapWith(Number),
      savedAt: sql`${apiKeys.blockSavedAt}`.mapWith(Number),
      sinceBootMs: apiKeys.blockSavedSinceBootMs,
      boot: apiKeys.blockSavedBoot,
    })
    .from(apiKeys)
    .where(isNotNull(apiKeys.blockedUntil)),
);

/** Credentials are never cached: another node may have changed the key a moment ago. */
export function keyReads(on: Connection) {
  return {
    ...keyUsageReads(on),
    find: async (id: string): Promise<KeyListing | null> => {
      const row = await on.first(find, { id });
      return row ? toListing(row) : null;
    },
    list: async ({ limit, before = AFTER_ALL_IDS, hubId, memberId, issuerId }: KeyPageRequest) => {
      const page = { limit, before };
      const rows =
        hubId !== undefined
          ? await on.all(lists.ofHub, { ...page, hubId })
          : issuerId !== undefined
            ? await on.all(lists.ofIssuer, { ...page, issuerId })
            : memberId !== undefined
              ? await on.all(lists.ofMember, { ...page, memberId })
              : await on.all(lists.all, page);
      return rows.map(toListing);
    },
    findByTokenHash: async (tokenHash: Uint8Array): Promise<KeyCredential | null> => {
      const row = await on.first(findCredential, { tokenHash: Buffer.from(tokenHash) });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    listBlocked: async (): Promise<SavedBlock[]> =>
      (await on.all(listBlocked)).map(({ sinceBootMs: ms, boot, ...block }) => ({
        ...block,
        sinceBoot: ms === null || boot === null ? null : { boot, ms },
      })),
  };
}

/** Locked, so that two transactions cannot both issue the last key that is allowed. */
const lockHub = statement(
  build
    .select({ id: hubs.id })
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('hubId')))
    .for('no key update'),
);
const countActive = statement(
  build
    .select({ count: count() })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.hubId, sql.placeholder('hubId')),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.successorId),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql.placeholder('at'))),
      ),
    ),
);
const saveBlock = statement(
  build
    .update(apiKeys)
    .set({
      blockedUntil: sql`${sql.placeholder('until')}`,
      blockSavedAt: sql`${sql.placeholder('savedAt')}`,
      blockSavedSinceBootMs: sql`${sql.placeholder('ms')}`,
      blockSavedBoot: sql`${sql.placeholder('boot')}`,
    })
    .where(eq(apiKeys.id, sql.placeholder('keyId'))),
);

export function keyChanges(on: Connection) {
  const findForChange = async (id: string): Promise<KeyListing | null> => {
    const row = await on.first(findLocked, { id });
    return row ? toListing(row) : null;
  };
  return {
    ...keyReads(on),
    ...keyUsageChanges(on),
    find: findForChange,
    countActive: async (hubId: string, at: number): Promise<number> => {
      await on.first(lockHub, { hubId });
      return (await on.first(countActive, { hubId, at }))?.count ?? 0;
    },
    insert: async ({ createdBy, scopes, ...row }: KeyRecord, tokenHash: Uint8Array): Promise<void> => {
      const values = {
        ...row,
        tokenHash: Buffer.from(tokenHash),
        scopes: scopes.join(' '),
        createdByKind: createdBy.kind,
        createdById: createdBy.id,
        createdByName: createdBy.name,
      };
      await on.run(statement(build.insert(apiKeys).values(values)));
    },
    update: async (keyId: string, changes: KeyChanges): Promise<void> => {
      await on.run(statement(build.update(apiKeys).set(changes).where(eq(apiKeys.id, keyId))));
    },
    saveBlock: async ({ keyId, until }: BlockToSave, { at, sinceBoot }: BlockTime): Promise<void> => {
      const time = until === null ? null : { at, ...sinceBoot };
      const saved = { savedAt: time?.at ?? null, ms: time?.ms ?? null, boot: time?.boot ?? null };
      await on.run(saveBlock, { keyId, until, ...saved });
    },
  };
}
