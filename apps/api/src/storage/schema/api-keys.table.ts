import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes, creator, idOf } from './column-types.ts';
import { hubs } from './hubs.table.ts';

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    hubId: idOf(() => hubs.id),
    name: text().notNull(),
    description: text(),
    link: text(),
    /** SHA-256 of the whole key: 32 bytes. The key itself is never stored. */
    tokenHash: bytes().notNull(),
    lastFour: text().notNull(),
    /** Full scope names, separated by spaces, as in OAuth 2.0 (RFC 6749, section 3.3). */
    scopes: text().notNull(),
    generation: integer().notNull(),
    predecessorId: text(),
    successorId: text(),
    createdAt: integer().notNull(),
    ...creator(),
    expiresAt: integer(),
    overlapEndsAt: integer(),
    revokedAt: integer(),
    /** When the key's block ends, by the wall clock as it was at `blockSavedAt`; `null` if there is no block. */
    blockedUntil: integer(),
    blockSavedAt: integer(),
    /** Milliseconds since the machine booted, and the id of that boot; `null` if unknown. */
    blockSavedSinceBootMs: integer(),
    blockSavedBoot: text(),
    lastUsedAt: integer(),
    lastUsedAddress: text(),
    requestCount: integer().notNull().default(0),
    postCount: integer().notNull().default(0),
    /** The kinds that the key has posted at least once, as a sum: 1 for messages, 2 for notes, 4 for to-dos. */
    usedKinds: integer().notNull().default(0),
    /** The global sequence number of the last item that these counters and `key_days` include. */
    countedGlobalSeq: integer().notNull().default(0),
  },
  (key) => [
    uniqueIndex('api_keys_by_token_hash').on(key.tokenHash),
    index('api_keys_by_hub').on(key.hubId, key.id),
    // To find the keys that a disabled user leaves behind.
    index('api_keys_by_issuer').on(key.createdById, key.id).where(sql`${key.createdById} is not null`),
    // Few keys are blocked at any time, and the index contains no others.
    index('api_keys_by_block').on(key.blockedUntil).where(sql`${key.blockedUntil} is not null`),
  ],
);
