import type { Scope } from '@hub/contract';
import { and, desc, eq, getTableColumns, gt, gte, lt, type SQL, sql } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import { thereIsNo } from '../../printable.ts';
import type {
  AuditRecord,
  BlockToNote,
  KeyCredential,
  KeyListing,
  KeySuccession,
  KeyUsageTally,
  NewKey,
  NotedBlock,
  PageRequest,
} from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import type { PostCounts } from './post-counts.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { keyDays } from './tables/item-details.table.ts';
import { memberships } from './tables/people.table.ts';

const { tokenHash: _hash, blockNotedAt: _notedAt, ...keyColumns } = getTableColumns(apiKeys);
const listed = { ...keyColumns, hubName: hubs.name };

type ListedRow = Omit<typeof apiKeys.$inferSelect, 'tokenHash' | 'blockNotedAt'> & { hubName: string };

const splitScopes = (scopes: string): Scope[] => scopes.split(' ') as Scope[];

/** What the gate needs of keys. */
export function credentialReads(db: Db) {
  const find = db
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
  const listBlocked = db
    .select({
      keyId: apiKeys.id,
      // Both are set in every row that the condition lets through.
      until: sql<number>`${apiKeys.blockedUntil}`,
      notedAt: sql<number>`${apiKeys.blockNotedAt}`,
    })
    .from(apiKeys)
    .where(gt(apiKeys.blockedUntil, sql.placeholder('now')))
    .prepare();

  return {
    findByTokenHash: (tokenHash: Uint8Array): KeyCredential | null => {
      const row = find.get({ tokenHash });
      return row ? { ...row, scopes: splitScopes(row.scopes) } : null;
    },
    listBlocked: (now: number): NotedBlock[] => listBlocked.all({ now }),
  };
}

/** Keys as lists show them, with the posts that only `counts` knows of yet. */
export function keyReads(db: Db, counts: PostCounts) {
  const toListing = ({ createdByKind, createdById, createdByName, scopes, ...row }: ListedRow): KeyListing => ({
    ...row,
    scopes: splitScopes(scopes),
    createdBy: { kind: createdByKind, id: createdById, name: createdByName },
    postCount: row.postCount + counts.pending(row.id),
  });
  const selectListed = () => db.select(listed).from(apiKeys).innerJoin(hubs, eq(hubs.id, apiKeys.hubId));
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
  const listOfMember = listing(
    sql`${apiKeys.hubId} in (select ${memberships.hubId} from ${memberships} where ${memberships.personId} = ${sql.placeholder('memberId')})`,
  );

  return {
    find: (id: string): KeyListing | null => {
      const row = find.get({ id });
      return row ? toListing(row) : null;
    },
    list: ({
      limit,
      before = AFTER_ALL_IDS,
      hubId,
      memberId,
    }: PageRequest & { hubId?: string | undefined; memberId?: string | undefined }): KeyListing[] => {
      if (hubId !== undefined) return listOfHub.all({ limit, before, hubId }).map(toListing);
      if (memberId !== undefined) return listOfMember.all({ limit, before, memberId }).map(toListing);
      return listAll.all({ limit, before }).map(toListing);
    },
  };
}

/** What a key did on each day, oldest first. */
export function keyDayReads(db: Db) {
  const list = db
    .select({ day: keyDays.day, requests: keyDays.requests, posts: keyDays.posts })
    .from(keyDays)
    .where(and(eq(keyDays.keyId, sql.placeholder('keyId')), gte(keyDays.day, sql.placeholder('fromDay'))))
    .orderBy(keyDays.day)
    .prepare();
  return (keyId: string, fromDay: number) => list.all({ keyId, fromDay });
}

/** Each function runs inside a transaction of the writer. */
export function keyWrites(db: Db, audit: AuditWrites, counts: PostCounts) {
  const reads = keyReads(db, counts);
  const noteBlock = db
    .update(apiKeys)
    .set({ blockedUntil: sql`${sql.placeholder('until')}`, blockNotedAt: sql`${sql.placeholder('notedAt')}` })
    .where(eq(apiKeys.id, sql.placeholder('keyId')))
    .prepare();

  const insert = ({ key, tokenHash, audit: entry }: NewKey): KeyListing => {
    const { createdBy, scopes, ...row } = key;
    const hub = db
      .select({ name: hubs.name, deletedAt: hubs.deletedAt })
      .from(hubs)
      .where(eq(hubs.id, key.hubId))
      .get();
    if (!hub) throw new Refusal('not_found', thereIsNo('Hub', key.hubId));
    if (hub.deletedAt !== null) {
      throw new Refusal('not_found', `The Hub ${key.hubId} was deleted. Restore it before you make a key for it.`);
    }
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
    block: ({ keyId, until, audit: entry }: { keyId: string; until: number; audit: AuditRecord }): void => {
      noteBlock.run({ keyId, until, notedAt: entry.at });
      audit.insert(entry);
    },
    noteBlocks: (blocks: readonly BlockToNote[], at: number): void => {
      for (const { keyId, until } of blocks) noteBlock.run({ keyId, until, notedAt: until === null ? null : at });
    },
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): void => counts.writeDown(tallies),
  };
}
