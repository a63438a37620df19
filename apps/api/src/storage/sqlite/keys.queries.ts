import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { dayOf } from '../../time.ts';
import type { BlockTime, BlockToSave } from '../key-blocks.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { KeyChanges } from '../repositories.ts';
import type { KeyListing, KeyRecord } from '../store.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { Db } from './engine/database.ts';
import { keyReads } from './key-lists.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { keyDays } from './tables/item-details.table.ts';

/** Each function runs inside a transaction. `credentials` is invalidated when a key changes. */
export function keyChanges(
  db: Db,
  { counts, credentials }: { counts: PostCounts; credentials: Pick<CredentialCache, 'invalidate'> },
) {
  const reads = keyReads(db, counts);
  /** Keys whose validity may have changed since the start. For all others, a post needs no look-up. */
  const changed = new Set<string>();
  const saveBlock = db
    .update(apiKeys)
    .set({
      blockedUntil: sql`${sql.placeholder('until')}`,
      blockNotedAt: sql`${sql.placeholder('savedAt')}`,
      blockNotedSinceBootMs: sql`${sql.placeholder('ms')}`,
      blockNotedBoot: sql`${sql.placeholder('boot')}`,
    })
    .where(eq(apiKeys.id, sql.placeholder('keyId')))
    .prepare();
  const countBlock = db
    .insert(keyDays)
    .values({ keyId: sql.placeholder('keyId'), day: sql.placeholder('day'), blocks: 1 })
    .onConflictDoUpdate({ target: [keyDays.keyId, keyDays.day], set: { blocks: sql`${keyDays.blocks} + 1` } })
    .prepare();

  return {
    reads: {
      findIfChanged: (keyId: string): KeyListing | null => (changed.has(keyId) ? reads.find(keyId) : null),
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
