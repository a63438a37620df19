import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bytes, flag, idOf, role } from './column-types.ts';
import { hubs } from './hubs.table.ts';

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    /** In lower case, so that a mailbox cannot have two accounts. */
    email: text().notNull(),
    name: text().notNull(),
    /** The forms of a name that no two users may share (`NameKeys`). */
    caselessName: text().notNull(),
    skeletonName: text().notNull(),
    role: role().notNull(),
    /** An argon2id hash in PHC string format. */
    passwordHash: text().notNull(),
    createdAt: integer().notNull(),
    disabledAt: integer(),
    lastSeenAt: integer(),
    /** When a second factor must be set up; null if there is one, or none is asked for. */
    factorDueAt: integer(),
  },
  (user) => [
    uniqueIndex('users_by_email').on(user.email),
    uniqueIndex('names_by_caseless').on(user.caselessName),
    uniqueIndex('names_by_skeleton').on(user.skeletonName),
    // Every setup checks whether there is an owner; this index contains few rows.
    index('users_owners').on(user.id).where(sql`${user.role} = 'owner'`),
  ],
);

export const memberships = sqliteTable(
  'memberships',
  {
    hubId: idOf(() => hubs.id),
    userId: idOf(() => users.id),
    joinedAt: integer().notNull(),
    /** How far this user has read each kind: the number of an event, and the newest global one when the mark was set. */
    messageReadSeq: integer('read_seq').notNull().default(0),
    messageReadGlobalSeq: integer('read_global_seq').notNull().default(0),
    noteReadSeq: integer().notNull().default(0),
    noteReadGlobalSeq: integer().notNull().default(0),
    todoReadSeq: integer().notNull().default(0),
    todoReadGlobalSeq: integer().notNull().default(0),
    /** How many times the user has set the marks to an item, instead of reading on. */
    readVersion: integer().notNull().default(0),
    /** Whether the user's sidebar shows the Hub first. */
    isFavorite: flag().default(false),
  },
  (membership) => [
    primaryKey({ columns: [membership.hubId, membership.userId] }),
    index('memberships_by_user').on(membership.userId, membership.hubId),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    /** SHA-256 of the cookie's value: 32 bytes. */
    tokenHash: bytes().notNull(),
    userId: idOf(() => users.id),
    createdAt: integer().notNull(),
    lastUsedAt: integer().notNull(),
    expiresAt: integer().notNull(),
    address: text().notNull(),
    userAgent: text(),
    confirmedAt: integer(),
  },
  (session) => [
    uniqueIndex('sessions_by_token_hash').on(session.tokenHash),
    index('sessions_by_user').on(session.userId, session.id),
    index('sessions_by_expiry').on(session.expiresAt),
  ],
);

export const personalTokens = sqliteTable(
  'personal_tokens',
  {
    id: text().primaryKey(),
    tokenHash: bytes().notNull(),
    lastFour: text().notNull(),
    userId: idOf(() => users.id),
    name: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    lastUsedAt: integer(),
    lastUsedAddress: text(),
  },
  (token) => [
    uniqueIndex('personal_tokens_by_token_hash').on(token.tokenHash),
    index('personal_tokens_by_user').on(token.userId, token.id),
  ],
);
