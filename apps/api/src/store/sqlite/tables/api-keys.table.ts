import { sql } from 'drizzle-orm';
import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    name: text().notNull(),
    /** SHA-256 of the whole key: 32 bytes. The key itself is nowhere. */
    tokenHash: blob({ mode: 'buffer' }).notNull(),
    lastFour: text().notNull(),
    /** Full scopes, joined by spaces, as in OAuth 2.0 (RFC 6749, section 3.3). */
    scopes: text().notNull(),
    generation: integer().notNull(),
    predecessorId: text(),
    successorId: text(),
    createdAt: integer().notNull(),
    createdByKind: text({ enum: ['local', 'person', 'key', 'server'] }).notNull(),
    createdById: text(),
    createdByName: text().notNull(),
    expiresAt: integer(),
    overlapEndsAt: integer(),
    revokedAt: integer(),
    /** The end of its block by the wall clock as it stood at `blockNotedAt`; `null` if there is none. */
    blockedUntil: integer(),
    blockNotedAt: integer(),
    /** Since the start of the machine, and which start that was; `null` where the machine does not tell. */
    blockNotedSinceBootMs: integer(),
    blockNotedBoot: text(),
    lastUsedAt: integer(),
    lastUsedAddress: text(),
    requestCount: integer().notNull().default(0),
    postCount: integer().notNull().default(0),
    /** Which kinds it has posted at least once: the sum of 1 message, 2 note, 4 to-do. */
    usedKinds: integer().notNull().default(0),
  },
  (key) => [
    uniqueIndex('api_keys_by_token_hash').on(key.tokenHash),
    index('api_keys_by_hub').on(key.hubId, key.id),
    // What somebody leaves behind.
    index('api_keys_by_issuer').on(key.createdById, key.id).where(sql`${key.createdById} is not null`),
    // Few keys are blocked at any time, and the index holds no others.
    index('api_keys_by_block').on(key.blockedUntil).where(sql`${key.blockedUntil} is not null`),
  ],
);
