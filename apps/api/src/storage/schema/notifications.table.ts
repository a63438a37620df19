import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';
import { sessions, users } from './users.table.ts';

/** The notification settings of a user. There is no row for users who have not changed the defaults. */
export const notificationSettings = sqliteTable('notification_settings', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  mentions: integer({ mode: 'boolean' }).notNull().default(true),
  assignments: integer({ mode: 'boolean' }).notNull().default(true),
  replies: integer({ mode: 'boolean' }).notNull().default(true),
  /** JSON; `null`: none. */
  quietHours: text(),
});

/** The Hubs and keys for which a user wants all notifications, or none. */
export const notificationModes = sqliteTable(
  'notification_modes',
  {
    userId: text()
      .notNull()
      .references(() => users.id),
    /** The id of a Hub or a key. */
    targetId: text().notNull(),
    /** The Hub itself, or the Hub of the key. */
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    mode: text({ enum: ['every', 'muted'] }).notNull(),
  },
  (mode) => [
    primaryKey({ columns: [mode.userId, mode.targetId] }),
    index('notification_modes_by_target').on(mode.targetId, mode.mode, mode.userId),
  ],
);

/** The browser of a session, as identified by the browser's push service. Deleted with the session. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    sessionId: text()
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id),
    endpoint: text().notNull(),
    /** The public key and the secret of the browser: 65 and 16 bytes. */
    p256dh: blob({ mode: 'buffer' }).notNull(),
    auth: blob({ mode: 'buffer' }).notNull(),
    /** The origin of the page that subscribed. */
    origin: text().notNull(),
    createdAt: integer().notNull(),
  },
  (subscription) => [
    index('push_subscriptions_by_user').on(subscription.userId),
    index('push_subscriptions_by_endpoint').on(subscription.endpoint),
  ],
);

/** One row: the key pair that identifies this server to push services (RFC 8292). */
export const pushIdentity = sqliteTable('push_identity', {
  id: integer().primaryKey(),
  publicKey: blob({ mode: 'buffer' }).notNull(),
  privateKey: blob({ mode: 'buffer' }).notNull(),
});
