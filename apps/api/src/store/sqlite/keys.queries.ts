import { eq, sql } from 'drizzle-orm';
import { Refusal } from '../../errors.ts';
import { thereIsNo } from '../../printable.ts';
import type { ByPerson } from '../standing.ts';
import type { AuditRecord, BlockToNote, KeyListing, KeySuccession, KeyUsageTally, NewKey } from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './database.ts';
import { keyReads } from './key-lists.queries.ts';
import type { PostCounts } from './post-counts.ts';
import type { StandingReads } from './standing.queries.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';

export interface KeyRevocation extends ByPerson {
  keyId: string;
  at: number;
  audit: AuditRecord;
}

/** Each function runs inside a transaction of the writer. */
export function keyWrites(
  db: Db,
  { audit, counts, standing }: { audit: AuditWrites; counts: PostCounts; standing: StandingReads },
) {
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
    return { ...key, hubName: hub.name, isIssuerGone: false };
  };

  return {
    issue: (input: NewKey): KeyListing => {
      standing.requireKeyManager(input.by, input.key.hubId, ['Hub', input.key.hubId]);
      return insert(input);
    },
    succeed: (input: KeySuccession): { outcome: 'done'; successor: KeyListing } | { outcome: 'too_late' } => {
      standing.requireKeyManager(input.by, input.key.hubId, ['key', input.predecessorId]);
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
    revoke: (input: KeyRevocation): KeyListing | null => {
      const key = reads.find(input.keyId);
      if (key) standing.requireKeyManager(input.by, key.hubId, ['key', key.id]);
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
