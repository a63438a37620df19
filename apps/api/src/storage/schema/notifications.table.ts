import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bytes, flag, idOf } from './column-types.ts';
import { hubs } from './hubs.table.ts';
import { sessions, users } from './users.table.ts';

/** The notification settings of a user. There is no row for users who have not changed the defaults. */
export const notificationSettings = sqliteTable('notification_settings', {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  mentions: flag().default(true),
  assignments: flag().default(true),
  replies: flag().default(true),
  /** JSON; `null`: none. */
  quietHours: text(),
});

/** The Hubs and keys for which a user wants all notifications, or none. */
export const notificationModes = sqliteTable(
  'notification_modes',
  {
    userId: idOf(() => users.id),
    /** The id of a Hub or a key. */
    targetId: text().notNull(),
    /** The Hub itself, or the Hub of the key. */
    hubId: idOf(() => hubs.id),
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
    userId: idOf(() => users.id),
    endpoint: text().notNull(),
    /** The public key and the secret of the browser: 65 and 16 bytes. */
    p256dh: bytes().notNull(),
    auth: bytes().notNull(),
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
  publicKey: bytes().notNull(),
  privateKey: bytes().notNull(),
});
