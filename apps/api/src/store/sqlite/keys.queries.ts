import type { Scope } from '@hub/contract';
import { and, desc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import type {
  AuditRecord,
  KeyCredential,
  KeyListing,
  KeySuccession,
  KeyUsageTally,
  NewKey,
  PageRequest,
} from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';

const { tokenHash: _hash, ...keyColumns } = getTableColumns(apiKeys);
const listed = { ...keyColumns, hubName: hubs.name };

type ListedRow = Omit<typeof apiKeys.$inferSelect, 'tokenHash'> & { hubName: string };

const toListing = ({ createdByKind, createdById, createdByName, scopes, ...row }: ListedRow): KeyListing => ({
  ...row,
  scopes: splitScopes(scopes),
  createdBy: { kind: createdByKind, id: createdById, name: createdByName },
});

const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

export function keyReads(db: Db) {
  const findCredential = db
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
    .where(eq(apiKeys.tokenHash, sql.placeholder('tokenHash')))
    .prepare();
  const selectListed = () => db.select(listed).from(apiKeys).innerJoin(hubs, eq(hubs.id, apiKeys.hubId));
  const find = selectListed()
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();
  const listBlocked = db
    .select({ id: apiKeys.id, blockedUntil: apiKeys.blockedUntil })
    .from(apiKeys)
    .where(gt(apiKeys.blockedUntil, sql.placeholder('now')))
    .prepare();

  return {
    findByTokenHash: (tokenHash: Uint8Array): KeyCredential | null => {
      const row = findCredential.get({ tokenHash });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    find: (id: string): KeyListing | null => {
      const row = find.get({ id });
      return row ? toListing(row) : null;
    },
    list: (page: PageRequest & { hubId?: string | undefined }): KeyListing[] =>
      selectListed()
        .where(
          and(
            page.hubId === undefined ? undefined : eq(apiKeys.hubId, page.hubId),
            page.before === undefined ? undefined : lt(apiKeys.id, page.before),
          ),
        )
        .orderBy(desc(apiKeys.id))
        .limit(page.limit)
        .all()
        .map(toListing),
    listBlocked: (now: number) =>
      listBlocked.all({ now }).map(({ id, blockedUntil }) => ({ id, blockedUntil: blockedUntil ?? now })),
  };
}

/** Each function runs inside a transaction of the writer. */
export function keyWrites(db: Db, audit: AuditWrites) {
  const reads = keyReads(db);
  const addUsage = db
    .update(apiKeys)
    .set({
      requestCount: sql`${apiKeys.requestCount} + ${sql.placeholder('requestCount')}`,
      postCount: sql`${apiKeys.postCount} + ${sql.placeholder('postCount')}`,
      lastUsedAt: sql`${sql.placeholder('lastUsedAt')}`,
      lastUsedAddress: sql`${sql.placeholder('lastUsedAddress')}`,
    })
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();

  const insert = ({ key, tokenHash, audit: entry }: NewKey): KeyListing => {
    const { createdBy, scopes, ...row } = key;
    const hub = db
      .select({ name: hubs.name, deletedAt: hubs.deletedAt })
      .from(hubs)
      .where(eq(hubs.id, key.hubId))
      .get();
    if (!hub || hub.deletedAt !== null) throw new Refusal('not_found', `There is no Hub ${key.hubId}.`);
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
    audit.insert(entry);
    return { ...key, hubName: hub.name };
  };

  return {
    insert,
    succeed: (input: KeySuccession): { outcome: 'done'; successor: KeyListing } | { outcome: 'too_late' } => {
      const predecessor = reads.find(input.predecessorId);
      if (!predecessor || predecessor.successorId !== null || predecessor.revokedAt !== null) {
        return { outcome: 'too_late' };
      }
      const revoked = input.overlapEndsAt <= input.at;
      db.update(apiKeys)
        .set({
          successorId: input.key.id,
          overlapEndsAt: revoked ? null : input.overlapEndsAt,
          revokedAt: revoked ? input.at : null,
        })
        .where(eq(apiKeys.id, input.predecessorId))
        .run();
      return { outcome: 'done', successor: insert(input) };
    },
    revoke: (input: { keyId: string; at: number; audit: AuditRecord }): KeyListing | null => {
      const key = reads.find(input.keyId);
      if (!key || key.revokedAt !== null) return key;
      db.update(apiKeys).set({ revokedAt: input.at }).where(eq(apiKeys.id, input.keyId)).run();
      audit.insert(input.audit);
      return { ...key, revokedAt: input.at };
    },
    block: (input: { keyId: string; until: number; audit: AuditRecord }): void => {
      db.update(apiKeys).set({ blockedUntil: input.until }).where(eq(apiKeys.id, input.keyId)).run();
      audit.insert(input.audit);
    },
    addPostUsage: (keyId: string, tally: KeyUsageTally): void => {
      addUsage.run({ id: keyId, postCount: 1, ...tally });
    },
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): void => {
      for (const [id, tally] of tallies) addUsage.run({ id, postCount: 0, ...tally });
    },
  };
}
