import { isValid } from '@hub/contract/key-state';
import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { keyNotValid } from '../../keys/authenticate-key.ts';
import { notFound } from '../../printable.ts';
import { dayOf } from '../../time.ts';
import type { UserAction } from '../acting-user.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { BlockTime, BlockToSave, NewBlock } from '../key-blocks.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { KeyListing, KeySuccession, NewKey } from '../store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { Db } from './engine/database.ts';
import { keyReads } from './key-lists.queries.ts';
import type { PostCounts } from './post-counts.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { keyDays } from './tables/item-details.table.ts';
import { notificationModes } from './tables/notifications.table.ts';

export interface KeyRevocation extends UserAction {
  keyId: string;
  at: number;
  audit: AuditRecord;
}

export type KeyWrites = ReturnType<typeof keyWrites>;

/** Each function runs inside a writer transaction. */
export function keyWrites(
  db: Db,
  { audit, counts, access }: { audit: AuditWrites; counts: PostCounts; access: AccessChecks },
) {
  const reads = keyReads(db, counts);
  /**
   * Keys whose validity has changed since the start. For all others, the state at authentication is still correct, so a
   * post needs no look-up.
   */
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
  const save = ({ keyId, until }: BlockToSave, { at, sinceBoot }: BlockTime): void => {
    const time = until === null ? null : { at, ...sinceBoot };
    saveBlock.run({ keyId, until, savedAt: time?.at ?? null, ms: time?.ms ?? null, boot: time?.boot ?? null });
  };

  const inheritNotifications = db
    .insert(notificationModes)
    .select(
      db
        .select({
          personId: notificationModes.personId,
          targetId: sql<string>`${sql.placeholder('successorId')}`.as('target_id'),
          hubId: notificationModes.hubId,
          mode: notificationModes.mode,
        })
        .from(notificationModes)
        .where(eq(notificationModes.targetId, sql.placeholder('predecessorId'))),
    )
    .prepare();

  /**
   * Keys with a successor do not count; otherwise, a rotation would be rejected in a Hub with the maximum number of
   * keys.
   */
  const requireRoom = ({ key: { hubId, createdAt }, maxActive = Number.POSITIVE_INFINITY }: NewKey): void => {
    const isActive = and(
      eq(apiKeys.hubId, hubId),
      isNull(apiKeys.revokedAt),
      isNull(apiKeys.successorId),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, createdAt)),
    );
    if (maxActive === Number.POSITIVE_INFINITY) return;
    const active = db.select({ count: count() }).from(apiKeys).where(isActive).get();
    if (!active || active.count < maxActive) return;
    const limit = `This Hub has ${maxActive.toLocaleString('en')} active keys, the maximum for a Hub.`;
    const raise = 'ask the server admin to raise HUB_MAX_KEYS_PER_HUB';
    throw new AppError('conflict', `${limit} Revoke one that is no longer used, or ${raise}.`);
  };

  const insert = ({ key, tokenHash, audit: entry }: NewKey): KeyListing => {
    const { createdBy, scopes, ...row } = key;
    const hub = db
      .select({ name: hubs.name, deletedAt: hubs.deletedAt })
      .from(hubs)
      .where(eq(hubs.id, key.hubId))
      .get();
    if (!hub) throw new AppError('not_found', notFound('Hub', key.hubId));
    if (hub.deletedAt !== null) {
      throw new AppError('not_found', `The Hub ${key.hubId} was deleted. Restore it before you issue a key for it.`);
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
    return { ...key, hubName: hub.name, isHubDeleted: false, isIssuerGone: false, usedScopes: [] };
  };

  return {
    /**
     * Throws if the key was revoked, replaced or rotated after the request was authenticated, and is not valid at
     * `at`.
     */
    requireValid: (keyId: string, at: number): void => {
      if (!changed.has(keyId)) return;
      const key = reads.find(keyId);
      if (!key || !isValid(key, at)) throw keyNotValid();
    },
    issue: (input: NewKey): KeyListing => {
      access.requireKeyManager(input.actingUser, input.key.hubId, ['Hub', input.key.hubId]);
      requireRoom(input);
      return insert(input);
    },
    succeed: (input: KeySuccession): { outcome: 'done'; successor: KeyListing } | { outcome: 'too_late' } => {
      access.requireKeyManager(input.actingUser, input.key.hubId, ['key', input.predecessorId]);
      const predecessor = reads.find(input.predecessorId);
      if (!predecessor || predecessor.successorId !== null || predecessor.revokedAt !== null) {
        return { outcome: 'too_late' };
      }
      const revoked = input.overlapEndsAt <= input.at;
      changed.add(input.predecessorId);
      db.update(apiKeys)
        .set({
          successorId: input.key.id,
          overlapEndsAt: revoked ? null : input.overlapEndsAt,
          revokedAt: revoked ? input.at : null,
        })
        .where(eq(apiKeys.id, input.predecessorId))
        .run();
      // To users, the successor is the same program, so the mode of a muted key must carry over.
      inheritNotifications.run({ predecessorId: input.predecessorId, successorId: input.key.id });
      return { outcome: 'done', successor: insert(input) };
    },
    revoke: (input: KeyRevocation): KeyListing | null => {
      const key = reads.find(input.keyId);
      if (key) access.requireKeyManager(input.actingUser, key.hubId, ['key', key.id]);
      if (!key || key.revokedAt !== null) return key;
      changed.add(input.keyId);
      db.update(apiKeys).set({ revokedAt: input.at }).where(eq(apiKeys.id, input.keyId)).run();
      audit.insert(input.audit);
      return { ...key, revokedAt: input.at };
    },
    block: ({ audit: entry, sinceBoot, ...block }: NewBlock): void => {
      save(block, { at: entry.at, sinceBoot });
      countBlock.run({ keyId: block.keyId, day: dayOf(entry.at) });
      audit.insert(entry);
    },
    saveBlocks: (blocks: readonly BlockToSave[], at: BlockTime): void => {
      for (const block of blocks) save(block, at);
    },
    addUsage: (tallies: ReadonlyMap<string, KeyUsageTally>): void => counts.save(tallies),
  };
}
