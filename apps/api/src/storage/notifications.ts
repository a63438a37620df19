import type { QuietHours } from '@hub/contract';
import type { KeyTimes } from '@hub/contract/key-state';
import { and, count, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { build, type Connection, insertInto, listed, query, rawWrite, toList, updatesOf } from './engine/query.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { hubs } from './schema/hubs.table.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from './schema/notifications.table.ts';
import { memberships, sessions, users } from './schema/users.table.ts';

export interface NotificationChoices {
  mentions: boolean;
  assignments: boolean;
  replies: boolean;
  quietHours: QuietHours | null;
}

/** The choices of users who have not changed anything. */
const DEFAULT_CHOICES: NotificationChoices = { mentions: true, assignments: true, replies: true, quietHours: null };

/** The notification mode of a Hub or a key, if it is not the default. */
interface NotificationModeRecord {
  targetId: string;
  hubId: string;
  mode: 'every' | 'muted';
}

/** A mode, with the key if it applies to a key. */
interface ListedNotificationMode extends NotificationModeRecord {
  key: (KeyTimes & { name: string }) | null;
}

/** The settings that decide whether a user is notified of an item in a Hub. */
export interface Recipient extends NotificationChoices {
  /** False if the user has left the Hub or is disabled, or if the Hub was deleted. */
  isReader: boolean;
  /** The modes of the Hub and, if a key was given, of the key. */
  modes: NotificationModeRecord[];
}

export interface PushSubscriptionRecord {
  sessionId: string;
  userId: string;
  endpoint: string;
  p256dh: Uint8Array;
  auth: Uint8Array;
  /** The origin of the page that subscribed, which is the server's address for the contact of push services. */
  origin: string;
  createdAt: number;
}

/** The key pair that identifies this server to push services: a point on P-256 and its scalar. */
export interface PushIdentity {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

/** A Hub or a key, and a user who wants a notification for each of its posts. */
export interface WantedTarget {
  targetId: string;
  userId: string;
}

const modeColumns = {
  targetId: notificationModes.targetId,
  hubId: notificationModes.hubId,
  mode: notificationModes.mode,
};
const keyColumns = {
  name: apiKeys.name,
  expiresAt: apiKeys.expiresAt,
  overlapEndsAt: apiKeys.overlapEndsAt,
  revokedAt: apiKeys.revokedAt,
};
const isModeOfUser = eq(notificationModes.userId, sql.placeholder('userId'));
const areChoicesOfUser = eq(notificationSettings.userId, sql.placeholder('userId'));
const isOfSession = eq(pushSubscriptions.sessionId, sql.placeholder('sessionId'));

const findChoices = query(() => build.select().from(notificationSettings).where(areChoicesOfUser));
const listModes = query(() =>
  build
    .select({ ...modeColumns, key: keyColumns })
    .from(notificationModes)
    .innerJoin(hubs, and(eq(hubs.id, notificationModes.hubId), isNull(hubs.deletedAt)))
    .innerJoin(
      memberships,
      and(eq(memberships.hubId, notificationModes.hubId), eq(memberships.userId, notificationModes.userId)),
    )
    .leftJoin(apiKeys, eq(apiKeys.id, notificationModes.targetId))
    .where(isModeOfUser)
    .orderBy(notificationModes.targetId),
);
const findModes = query(() =>
  build
    .select(modeColumns)
    .from(notificationModes)
    .where(
      and(isModeOfUser, inArray(notificationModes.targetId, [sql.placeholder('hubId'), sql.placeholder('keyId')])),
    ),
);
const wantingAllPosts = query(() =>
  build
    .select({ targetId: notificationModes.targetId, userId: notificationModes.userId })
    .from(notificationModes)
    .where(and(sql`${notificationModes.targetId} in ${listed('targetIds')}`, eq(notificationModes.mode, 'every')))
    .orderBy(notificationModes.targetId, notificationModes.userId),
);
const findReader = query(() =>
  build
    .select({ id: memberships.userId })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.userId), isNull(users.disabledAt)))
    .innerJoin(hubs, and(eq(hubs.id, memberships.hubId), isNull(hubs.deletedAt)))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.userId, sql.placeholder('userId')))),
);
const subscriptionsOf = query(() =>
  build
    .select({
      sessionId: pushSubscriptions.sessionId,
      userId: pushSubscriptions.userId,
      endpoint: pushSubscriptions.endpoint,
      p256dh: pushSubscriptions.p256dh,
      auth: pushSubscriptions.auth,
      origin: pushSubscriptions.origin,
      createdAt: pushSubscriptions.createdAt,
    })
    .from(pushSubscriptions)
    .innerJoin(
      sessions,
      and(eq(sessions.id, pushSubscriptions.sessionId), gt(sessions.expiresAt, sql.placeholder('now'))),
    )
    .where(eq(pushSubscriptions.userId, sql.placeholder('userId'))),
);
const findSubscription = query(() => build.select().from(pushSubscriptions).where(isOfSession));
const findIdentity = query(() =>
  build.select({ publicKey: pushIdentity.publicKey, privateKey: pushIdentity.privateKey }).from(pushIdentity),
);
export const countSubscriptions = query(() => build.select({ all: count() }).from(pushSubscriptions));

export function notificationReads(on: Connection) {
  const choices = async (userId: string): Promise<NotificationChoices> => {
    const row = await on.first(findChoices, { userId });
    if (!row) return DEFAULT_CHOICES;
    const { userId: _, quietHours, ...rest } = row;
    return { ...rest, quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours) };
  };
  return {
    choices,
    /** Lists the modes for the live Hubs of the user. */
    modes: async (userId: string): Promise<ListedNotificationMode[]> => on.all(listModes, { userId }),
    /** Whether this user has muted this Hub. */
    isMuted: async (userId: string, hubId: string): Promise<boolean> =>
      (await on.first(findModes, { userId, hubId, keyId: null }))?.mode === 'muted',
    /** Lists the users who want a notification for each post in these Hubs or from these keys. */
    wantingAllPosts: async (targetIds: readonly string[]): Promise<WantedTarget[]> =>
      on.all(wantingAllPosts, { targetIds: toList(targetIds) }),
    recipient: async (wanted: { userId: string; hubId: string; keyId: string | null }): Promise<Recipient> => ({
      ...(await choices(wanted.userId)),
      isReader: (await on.first(findReader, wanted)) !== undefined,
      modes: await on.all(findModes, wanted),
    }),
    /** Lists the subscriptions of sessions that end after `now`. */
    subscriptions: async (userId: string, now: number): Promise<PushSubscriptionRecord[]> =>
      on.all(subscriptionsOf, { userId, now }),
    findSubscription: async (sessionId: string): Promise<PushSubscriptionRecord | null> =>
      (await on.first(findSubscription, { sessionId })) ?? null,
    findIdentity: async (): Promise<PushIdentity | null> => (await on.first(findIdentity)) ?? null,
  };
}

const insertChoices = insertInto(notificationSettings, ['userId'], { key: ['userId'] });
const choiceUpdates = updatesOf(notificationSettings, areChoicesOfUser);
const setMode = insertInto(notificationModes, ['userId', 'targetId', 'hubId', 'mode'], {
  key: ['userId', 'targetId'],
  replace: ['mode'],
});
const deleteMode = query(() =>
  build.delete(notificationModes).where(and(isModeOfUser, eq(notificationModes.targetId, sql.placeholder('targetId')))),
);
const copyModes = rawWrite(sql`insert into ${notificationModes} (user_id, target_id, hub_id, mode)
  select user_id, cast(${sql.placeholder('toKeyId')} as text), hub_id, mode from ${notificationModes}
    where target_id = ${sql.placeholder('fromKeyId')}`);
const subscribed = ['userId', 'endpoint', 'p256dh', 'auth', 'origin', 'createdAt'] as const;
const setSubscription = insertInto(pushSubscriptions, ['sessionId', ...subscribed], {
  key: ['sessionId'],
  replace: subscribed,
});
const deleteEndpoint = query(() =>
  build.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, sql.placeholder('endpoint'))),
);
const deleteSubscription = query(() => build.delete(pushSubscriptions).where(isOfSession));
const insertIdentity = insertInto(pushIdentity, ['id', 'publicKey', 'privateKey']);

export function notificationChanges(on: Connection) {
  return {
    ...notificationReads(on),
    /** Changes the given choices. The others stay, even if they are changed at the same time. */
    changeChoices: async (userId: string, { quietHours, ...changes }: Partial<NotificationChoices>): Promise<void> => {
      const set = { userId, ...changes, quietHours: quietHours && JSON.stringify(quietHours) };
      await on.run(insertChoices, { userId });
      await on.run(choiceUpdates(set), set);
    },
    setMode: async (userId: string, mode: NotificationModeRecord): Promise<void> => {
      await on.run(setMode, { userId, ...mode });
    },
    deleteMode: async (userId: string, targetId: string): Promise<void> => {
      await on.run(deleteMode, { userId, targetId });
    },
    /** Copies what users have chosen for one key to another. */
    copyModes: async (fromKeyId: string, toKeyId: string): Promise<void> => {
      await on.run(copyModes, { fromKeyId, toKeyId });
    },
    /** Replaces any subscription with the same session or endpoint. */
    setSubscription: async ({ p256dh, auth, ...rest }: PushSubscriptionRecord): Promise<void> => {
      await on.run(deleteEndpoint, { endpoint: rest.endpoint });
      await on.run(setSubscription, { ...rest, p256dh: Buffer.from(p256dh), auth: Buffer.from(auth) });
    },
    deleteSubscription: async (sessionId: string): Promise<void> => {
      await on.run(deleteSubscription, { sessionId });
    },
    /** There must be none yet. */
    insertIdentity: async ({ publicKey, privateKey }: PushIdentity): Promise<void> => {
      await on.run(insertIdentity, { id: 1, publicKey: Buffer.from(publicKey), privateKey: Buffer.from(privateKey) });
    },
  };
}
