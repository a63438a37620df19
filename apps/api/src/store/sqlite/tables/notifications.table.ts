import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';
import { sessions, users } from './users.table.ts';

/** What somebody wants to be told of. Who has changed nothing has no row. */
export const notificationSettings = sqliteTable('notice_settings', {
  personId: text()
    .primaryKey()
    .references(() => users.id),
  mentions: integer({ mode: 'boolean' }).notNull().default(true),
  assignments: integer({ mode: 'boolean' }).notNull().default(true),
  replies: integer({ mode: 'boolean' }).notNull().default(true),
  /** JSON; `null`: there are none. */
  quietHours: text(),
});

/** The Hubs and keys of which somebody wants to hear all, or nothing. */
export const notificationModes = sqliteTable(
  'notice_modes',
  {
    personId: text()
      .notNull()
      .references(() => users.id),
    /** Of a Hub or a key. */
    targetId: text().notNull(),
    /** The Hub itself, or that of the key. */
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    mode: text({ enum: ['every', 'muted'] }).notNull(),
  },
  (mode) => [
    primaryKey({ columns: [mode.personId, mode.targetId] }),
    index('notice_modes_by_target').on(mode.targetId, mode.mode, mode.personId),
  ],
);

/** The browser of a session, as its push service knows it. It ends with the session. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    sessionId: text()
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    personId: text()
      .notNull()
      .references(() => users.id),
    endpoint: text().notNull(),
    /** The public key and the secret of the browser: 65 and 16 bytes. */
    p256dh: blob({ mode: 'buffer' }).notNull(),
    auth: blob({ mode: 'buffer' }).notNull(),
    createdAt: integer().notNull(),
  },
  (subscription) => [
    index('push_subscriptions_by_person').on(subscription.personId),
    index('push_subscriptions_by_endpoint').on(subscription.endpoint),
  ],
);

/** One row: the key pair by which push services know this server (RFC 8292). */
export const pushIdentity = sqliteTable('push_identity', {
  id: integer().primaryKey(),
  publicKey: blob({ mode: 'buffer' }).notNull(),
  privateKey: blob({ mode: 'buffer' }).notNull(),
});
