import type { QuietHours } from '@hub/contract';
import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import {
  choiceColumns,
  DEFAULT_CHOICES,
  type NotificationChoices,
  type NotificationModeRecord,
  type PushIdentity,
  type PushSubscriptionRecord,
  type Recipient,
  type WantedTarget,
} from '../notification-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from './tables/notifications.table.ts';
import { memberships, sessions, users } from './tables/users.table.ts';

const ofUser = eq(notificationModes.userId, sql.placeholder('userId'));
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

const findChoices = statement(
  build
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, sql.placeholder('userId'))),
);
const listModes = statement(
  build
    .select({ ...modeColumns, key: keyColumns })
    .from(notificationModes)
    .innerJoin(hubs, and(eq(hubs.id, notificationModes.hubId), isNull(hubs.deletedAt)))
    .innerJoin(
      memberships,
      and(eq(memberships.hubId, notificationModes.hubId), eq(memberships.userId, notificationModes.userId)),
    )
    .leftJoin(apiKeys, eq(apiKeys.id, notificationModes.targetId))
    .where(ofUser)
    .orderBy(notificationModes.targetId),
);
const findModes = statement(
  build
    .select(modeColumns)
    .from(notificationModes)
    .where(and(ofUser, sql`${notificationModes.targetId} = any(${sql.placeholder('targetIds')}::text[])`)),
);
const wantingAllPosts = statement(
  build
    .select({ targetId: notificationModes.targetId, userId: notificationModes.userId })
    .from(notificationModes)
    .where(
      and(
        sql`${notificationModes.targetId} = any(${sql.placeholder('targetIds')}::text[])`,
        eq(notificationModes.mode, 'every'),
      ),
    )
    .orderBy(notificationModes.targetId, notificationModes.userId),
);
const findReader = statement(
  build
    .select({ id: memberships.userId })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.userId), isNull(users.disabledAt)))
    .innerJoin(hubs, and(eq(hubs.id, memberships.hubId), isNull(hubs.deletedAt)))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.userId, sql.placeholder('userId')))),
);
const subscriptionsOf = statement(
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
    .where(eq(pushSubscriptions.userId, sql.placeholder('userId')))
    .orderBy(pushSubscriptions.sessionId),
);
const findSubscription = statement(
  build
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sql.placeholder('sessionId'))),
);
const findIdentity = statement(
  build.select({ publicKey: pushIdentity.publicKey, privateKey: pushIdentity.privateKey }).from(pushIdentity),
);

export function notificationReads(on: Connection) {
  const choices = async (userId: string): Promise<NotificationChoices> => {
    const row = await on.first(findChoices, { userId });
    if (!row) return DEFAULT_CHOICES;
    const { userId: _, quietHours, ...rest } = row;
    return { ...rest, quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours) };
  };
  return {
    choices,
    modes: (userId: string) => on.all(listModes, { userId }),
    isMuted: async (userId: string, hubId: string): Promise<boolean> =>
      (await on.first(findModes, { userId, targetIds: [hubId] }))?.mode === 'muted',
    wantingAllPosts: (targetIds: readonly string[]): Promise<WantedTarget[]> =>
      on.all(wantingAllPosts, { targetIds: [...targetIds] }),
    recipient: async ({
      userId,
      hubId,
      keyId,
    }: {
      userId: string;
      hubId: string;
      keyId: string | null;
    }): Promise<Recipient> => {
      const targetIds = [hubId, keyId].filter((id) => id !== null);
      const modes = await on.all(findModes, { userId, targetIds });
      return {
        ...(await choices(userId)),
        isReader: (await on.first(findReader, { userId, hubId })) !== undefined,
        modes: targetIds.flatMap((id) => modes.find(({ targetId }) => targetId === id) ?? []),
      };
    },
    subscriptions: (userId: string, now: number): Promise<PushSubscriptionRecord[]> =>
      on.all(subscriptionsOf, { userId, now }),
    findSubscription: async (sessionId: string): Promise<PushSubscriptionRecord | null> =>
      (await on.first(findSubscription, { sessionId })) ?? null,
    findIdentity: async (): Promise<PushIdentity | null> => (await on.first(findIdentity)) ?? null,
  };
}

const countSubscriptions = statement(build.select({ n: count() }).from(pushSubscriptions));

export async function readSubscriptionCount(on: Connection): Promise<number> {
  return (await on.first(countSubscriptions))?.n ?? 0;
}

const copyModes = statement(
  build.insert(notificationModes).select(
    build
      .select({
        userId: notificationModes.userId,
        targetId: sql<string>`${sql.placeholder('toKeyId')}::text`.as('target_id'),
        hubId: notificationModes.hubId,
        mode: notificationModes.mode,
      })
      .from(notificationModes)
      .where(eq(notificationModes.targetId, sql.placeholder('fromKeyId'))),
  ),
);

export function notificationChanges(on: Connection) {
  return {
    ...notificationReads(on),
    changeChoices: async (userId: string, changes: Partial<NotificationChoices>): Promise<void> => {
      const set = { userId, ...choiceColumns(changes) };
      const insert = build.insert(notificationSettings).values({ ...DEFAULT_CHOICES, quietHours: null, ...set });
      await on.run(statement(insert.onConflictDoUpdate({ target: notificationSettings.userId, set })));
    },
    setMode: async (userId: string, mode: NotificationModeRecord): Promise<void> => {
      const insert = build.insert(notificationModes).values({ userId, ...mode });
      const target = [notificationModes.userId, notificationModes.targetId];
      await on.run(statement(insert.onConflictDoUpdate({ target, set: { mode: mode.mode } })));
    },
    deleteMode: async (userId: string, targetId: string): Promise<void> => {
      const isMode = and(eq(notificationModes.userId, userId), eq(notificationModes.targetId, targetId));
      await on.run(statement(build.delete(notificationModes).where(isMode)));
    },
    copyModes: async (fromKeyId: string, toKeyId: string): Promise<void> => {
      await on.run(copyModes, { fromKeyId, toKeyId });
    },
    setSubscription: async ({ p256dh, auth, ...rest }: PushSubscriptionRecord): Promise<void> => {
      const isSame = or(eq(pushSubscriptions.endpoint, rest.endpoint), eq(pushSubscriptions.sessionId, rest.sessionId));
      await on.run(statement(build.delete(pushSubscriptions).where(isSame)));
      const values = { ...rest, p256dh: Buffer.from(p256dh), auth: Buffer.from(auth) };
      await on.run(statement(build.insert(pushSubscriptions).values(values)));
    },
    deleteSubscription: async (sessionId: string): Promise<void> => {
      await on.run(statement(build.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))));
    },
    insertIdentity: async ({ publicKey, privateKey }: PushIdentity): Promise<void> => {
      const values = { id: 1, publicKey: Buffer.from(publicKey), privateKey: Buffer.from(privateKey) };
      await on.run(statement(build.insert(pushIdentity).values(values)));
    },
  };
}
