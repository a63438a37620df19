import type { QuietHours } from '@hub/contract';
import { and, count, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { build, columnsWithout, given, json, listed, query, select, toList } from './engine/query.ts';
import { deleteFrom, insertInto, rawWrite, update, updatesOf } from './engine/write.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { bytes, flag, idOf } from './schema/column-types.ts';
import { hubs } from './schema/hubs.table.ts';
import { memberships, sessions, users } from './schema/users.table.ts';

/** The notification settings of a user. There is no row for users who have not changed the defaults. */
const notificationSettings = sqliteTable(
  'notification_settings',
  {
    userId: text()
      .primaryKey()
      .references(() => users.id),
    mentions: flag().default(true),
    assignments: flag().default(true),
    replies: flag().default(true),
    /** JSON; `null`: none. */
    quietHours: text(),
    /** Whether mentions that stay unread are mailed, and the newest one of the last such mail. */
    mentionMail: flag().default(false),
    mailedGlobalSeq: integer().notNull().default(0),
  },
  (settings) => [index('notification_settings_with_mail').on(settings.userId).where(sql`${settings.mentionMail}`)],
);

/** The Hubs, keys and threads for which a user wants all notifications, or none. */
export const notificationModes = sqliteTable(
  'notification_modes',
  {
    userId: idOf(() => users.id),
    /** The id of a Hub, a key or the item of a thread. */
    targetId: text().notNull(),
    /** The Hub itself, or the Hub of the key or item. */
    hubId: idOf(() => hubs.id),
    mode: text({ enum: ['every', 'muted'] }).notNull(),
  },
  (mode) => [
    primaryKey({ columns: [mode.userId, mode.targetId] }),
    index('notification_modes_by_target').on(mode.targetId, mode.mode, mode.userId),
  ],
);

/** The browser of a session, as identified by the browser's push service. Deleted with the session. */
const pushSubscriptions = sqliteTable(
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
const pushIdentity = sqliteTable('push_identity', {
  id: integer().primaryKey(),
  publicKey: bytes().notNull(),
  privateKey: bytes().notNull(),
});

export const notificationTables = [notificationModes, notificationSettings, pushIdentity, pushSubscriptions];

const modeColumns = columnsWithout(notificationModes, 'userId');
const { name, expiresAt, overlapEndsAt, revokedAt } = apiKeys;
const choiceColumns = {
  ...columnsWithout(notificationSettings, 'userId', 'mailedGlobalSeq'),
  quietHours: json<QuietHours | null>(notificationSettings.quietHours),
};
const isModeOfUser = eq(notificationModes.userId, given('userId'));
const areChoicesOfUser = eq(notificationSettings.userId, given('userId'));
const isOfSession = eq(pushSubscriptions.sessionId, given('sessionId'));

const findChoices = select(choiceColumns, notificationSettings, areChoicesOfUser);
const listModes = query(() =>
  build
    .select({ ...modeColumns, key: { name, expiresAt, overlapEndsAt, revokedAt } })
    .from(notificationModes)
    .innerJoin(hubs, and(eq(hubs.id, notificationModes.hubId), isNull(hubs.deletedAt)))
    .innerJoin(
      memberships,
      and(eq(memberships.hubId, notificationModes.hubId), eq(memberships.userId, notificationModes.userId)),
    )
    .leftJoin(apiKeys, eq(apiKeys.id, notificationModes.targetId))
    .where(and(isModeOfUser, or(isNotNull(apiKeys.id), eq(notificationModes.targetId, notificationModes.hubId))))
    .orderBy(notificationModes.targetId),
);
const isOfTarget = inArray(notificationModes.targetId, [given('hubId'), given('keyId')]);
const findModes = select(modeColumns, notificationModes, and(isModeOfUser, isOfTarget));
const { targetId, userId, mode } = notificationModes;
const modesOf = select({ userId, mode }, notificationModes, eq(targetId, given('targetId')));
export const listMutedKeys = select(
  { keyId: targetId, hubId: notificationModes.hubId },
  notificationModes,
  and(isModeOfUser, eq(mode, 'muted')),
  { joins: [[apiKeys, eq(apiKeys.id, targetId)]], orderBy: targetId },
);
const wantingAllPosts = select(
  { targetId, userId },
  notificationModes,
  and(sql`${targetId} in ${listed('targetIds')}`, eq(notificationModes.mode, 'every')),
  { orderBy: [targetId, userId] },
);
const isMembership = and(eq(memberships.hubId, given('hubId')), eq(memberships.userId, given('userId')));
const findReader = select({ id: memberships.userId }, memberships, isMembership, {
  joins: [
    [users, and(eq(users.id, memberships.userId), isNull(users.disabledAt))],
    [hubs, and(eq(hubs.id, memberships.hubId), isNull(hubs.deletedAt))],
  ],
});
const subscriptionColumns = getTableColumns(pushSubscriptions);
const subscriptionsOf = select(
  subscriptionColumns,
  pushSubscriptions,
  and(eq(pushSubscriptions.userId, given('userId')), gt(sessions.expiresAt, given('now'))),
  { joins: [[sessions, eq(sessions.id, pushSubscriptions.sessionId)]] },
);
const findSubscription = select(subscriptionColumns, pushSubscriptions, isOfSession);
const findIdentity = select(columnsWithout(pushIdentity, 'id'), pushIdentity);
export const countSubscriptions = select({ all: count() }, pushSubscriptions);

export type NotificationChoices = RowOf<typeof findChoices>;
type NotificationModeRecord = RowOf<typeof findModes>;
export type PushSubscriptionRecord = RowOf<typeof findSubscription>;
/** The key pair that identifies this server to push services: a point on P-256 and its scalar. */
export type PushIdentity = RowOf<typeof findIdentity>;
export type WantedTarget = RowOf<typeof wantingAllPosts>;

/** The settings that decide whether a user is notified of an item in a Hub. */
export interface Recipient extends NotificationChoices {
  /** False if the user has left the Hub or is disabled, or if the Hub was deleted. */
  isReader: boolean;
  modes: NotificationModeRecord[];
}

const DEFAULT_CHOICES: NotificationChoices = {
  mentions: true,
  assignments: true,
  replies: true,
  quietHours: null,
  mentionMail: false,
};

export function notificationReads(on: Connection) {
  const choices = async (userId: string) => (await on.first(findChoices, { userId })) ?? DEFAULT_CHOICES;
  return {
    choices,
    modes: async (userId: string) => on.all(listModes, { userId }),
    /** Returns the users who want all notifications of a target, or none. */
    modesOf: async (targetId: string) => on.all(modesOf, { targetId }),
    isMuted: async (userId: string, hubId: string): Promise<boolean> =>
      (await on.first(findModes, { userId, hubId, keyId: null }))?.mode === 'muted',
    mutedKeys: async (userId: string) => on.all(listMutedKeys, { userId }),
    wantingAllPosts: async (targetIds: readonly string[]) => on.all(wantingAllPosts, { targetIds: toList(targetIds) }),
    recipient: async (wanted: { userId: string; hubId: string; keyId: string | null }): Promise<Recipient> => ({
      ...(await choices(wanted.userId)),
      isReader: (await on.first(findReader, wanted)) !== undefined,
      modes: await on.all(findModes, wanted),
    }),
    subscriptions: async (userId: string, now: number) => on.all(subscriptionsOf, { userId, now }),
    findSubscription: async (sessionId: string) => (await on.first(findSubscription, { sessionId })) ?? null,
    findIdentity: async () => (await on.first(findIdentity)) ?? null,
  };
}

const insertChoices = insertInto(notificationSettings, { columns: ['userId'], key: ['userId'] });
const choiceUpdates = updatesOf(notificationSettings, areChoicesOfUser);
const setMode = insertInto(notificationModes, { key: ['userId', 'targetId'], replace: ['mode'] });
const deleteMode = deleteFrom(notificationModes, and(isModeOfUser, eq(targetId, given('targetId'))));
const copyModes = rawWrite(sql`insert into ${notificationModes} (user_id, target_id, hub_id, mode)
  select user_id, cast(${given('toKeyId')} as text), hub_id, mode from ${notificationModes}
    where target_id = ${given('fromKeyId')}`);
const setSubscription = insertInto(pushSubscriptions, {
  key: ['sessionId'],
  replace: ['userId', 'endpoint', 'p256dh', 'auth', 'origin', 'createdAt'],
});
const deleteEndpoint = deleteFrom(pushSubscriptions, eq(pushSubscriptions.endpoint, given('endpoint')));
const deleteSubscription = deleteFrom(pushSubscriptions, isOfSession);
const insertIdentity = insertInto(pushIdentity);
const setPrivateKey = update(pushIdentity, { privateKey: sql`${given('privateKey')}` }, eq(pushIdentity.id, 1));

export function notificationChanges(on: Connection, report: Pick<CommitReportBuilder, 'unreadChanged'>) {
  return {
    ...notificationReads(on),
    /** Changes the given choices. The others stay, even if they are changed at the same time. */
    changeChoices: async (userId: string, { quietHours, ...changes }: Partial<NotificationChoices>): Promise<void> => {
      const set = { userId, ...changes, quietHours: quietHours && JSON.stringify(quietHours) };
      await on.run(insertChoices, { userId });
      await on.run(choiceUpdates(set), set);
    },
    /** Records the newest mention that was mailed to a user. */
    setMailed: async (userId: string, mailedGlobalSeq: number) =>
      on.run(choiceUpdates({ mailedGlobalSeq }), { userId, mailedGlobalSeq }),
    setMode: async (userId: string, mode: NotificationModeRecord): Promise<void> => {
      await on.run(setMode, { userId, ...mode });
      report.unreadChanged({ userId, hubId: mode.hubId });
    },
    deleteMode: async (userId: string, { targetId, hubId }: Omit<NotificationModeRecord, 'mode'>): Promise<void> => {
      await on.run(deleteMode, { userId, targetId });
      report.unreadChanged({ userId, hubId });
    },
    /** Both keys are of this Hub. */
    copyModes: async (hubId: string, fromKeyId: string, toKeyId: string): Promise<void> => {
      await on.run(copyModes, { fromKeyId, toKeyId });
      for (const { userId } of await on.all(modesOf, { targetId: toKeyId })) report.unreadChanged({ userId, hubId });
    },
    /** Replaces any subscription with the same session or endpoint. */
    setSubscription: async (subscription: PushSubscriptionRecord): Promise<void> => {
      await on.run(deleteEndpoint, { endpoint: subscription.endpoint });
      await on.run(setSubscription, subscription);
    },
    deleteSubscription: async (sessionId: string) => on.run(deleteSubscription, { sessionId }),
    /** There must be none yet. */
    insertIdentity: async (identity: PushIdentity) => on.run(insertIdentity, { id: 1, ...identity }),
    setPrivateKey: async (privateKey: Uint8Array) => on.run(setPrivateKey, { privateKey }),
  };
}
