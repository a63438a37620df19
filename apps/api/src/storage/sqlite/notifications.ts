import type { QuietHours } from '@hub/contract';
import { and, count, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
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
import { apiKeys } from '../schema/api-keys.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from '../schema/notifications.table.ts';
import { memberships, sessions, users } from '../schema/users.table.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

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

function choiceReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select()
      .from(notificationSettings)
      .where(eq(notificationSettings.userId, sql.placeholder('userId'))),
  );
  return (userId: string): NotificationChoices => {
    const row = find.get({ userId });
    if (!row) return DEFAULT_CHOICES;
    const { userId: _, quietHours, ...choices } = row;
    return { ...choices, quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours) };
  };
}

function modeReads(db: Db) {
  const userId = sql.placeholder('userId');
  const list = prepared(db, () =>
    db
      .select({ ...modeColumns, key: keyColumns })
      .from(notificationModes)
      .innerJoin(hubs, and(eq(hubs.id, notificationModes.hubId), isNull(hubs.deletedAt)))
      .innerJoin(
        memberships,
        and(eq(memberships.hubId, notificationModes.hubId), eq(memberships.userId, notificationModes.userId)),
      )
      .leftJoin(apiKeys, eq(apiKeys.id, notificationModes.targetId))
      .where(eq(notificationModes.userId, userId)),
  );
  const find = prepared(db, () =>
    db
      .select(modeColumns)
      .from(notificationModes)
      .where(and(eq(notificationModes.userId, userId), eq(notificationModes.targetId, sql.placeholder('targetId')))),
  );
  const wanting = prepared(db, () =>
    db
      .select({ targetId: notificationModes.targetId, userId: notificationModes.userId })
      .from(notificationModes)
      .where(
        and(
          sql`${notificationModes.targetId} in (select value from json_each(${sql.placeholder('targetIds')}))`,
          eq(notificationModes.mode, 'every'),
        ),
      ),
  );
  return {
    list: (id: string) => list.all({ userId: id }),
    find: (id: string, targetId: string): NotificationModeRecord | undefined => find.get({ userId: id, targetId }),
    wantingAllPosts: (targetIds: readonly string[]): WantedTarget[] =>
      wanting.all({ targetIds: JSON.stringify(targetIds) }),
  };
}

function recipientReads(
  db: Db,
  { choices, modes }: { choices: ReturnType<typeof choiceReads>; modes: ReturnType<typeof modeReads> },
) {
  const findReader = prepared(db, () =>
    db
      .select({ id: memberships.userId })
      .from(memberships)
      .innerJoin(users, and(eq(users.id, memberships.userId), isNull(users.disabledAt)))
      .innerJoin(hubs, and(eq(hubs.id, memberships.hubId), isNull(hubs.deletedAt)))
      .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.userId, sql.placeholder('userId')))),
  );
  return ({ userId, hubId, keyId }: { userId: string; hubId: string; keyId: string | null }): Recipient => ({
    ...choices(userId),
    isReader: findReader.get({ userId, hubId }) !== undefined,
    modes: [hubId, keyId]
      .filter((id) => id !== null)
      .map((targetId) => modes.find(userId, targetId))
      .filter((mode) => mode !== undefined),
  });
}

function subscriptionReads(db: Db) {
  const present = prepared(db, () =>
    db
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
  const find = prepared(db, () =>
    db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.sessionId, sql.placeholder('sessionId'))),
  );
  const identity = prepared(db, () =>
    db
      .select()
      .from(pushIdentity)
      .where(inArray(pushIdentity.id, [1])),
  );
  return {
    of: (userId: string, now: number) => present.all({ userId, now }),
    find: (sessionId: string) => find.get({ sessionId }) ?? null,
    identity: () => identity.get() ?? null,
  };
}

export function notificationReads(db: Db) {
  const choices = choiceReads(db);
  const modes = modeReads(db);
  const subscriptions = subscriptionReads(db);
  return {
    choices,
    modes: modes.list,
    isMuted: (userId: string, hubId: string): boolean => modes.find(userId, hubId)?.mode === 'muted',
    wantingAllPosts: modes.wantingAllPosts,
    recipient: recipientReads(db, { choices, modes }),
    subscriptions: subscriptions.of,
    findSubscription: subscriptions.find,
    findIdentity: subscriptions.identity,
  };
}

export function subscriptionCount(db: Db): () => number {
  const all = prepared(db, () => db.select({ all: count() }).from(pushSubscriptions));
  return () => all.get()?.all ?? 0;
}

/** Each function runs inside a transaction. */
export function notificationChanges(db: Db) {
  const copyModes = prepared(db, () =>
    db.insert(notificationModes).select(
      db
        .select({
          userId: notificationModes.userId,
          targetId: sql<string>`${sql.placeholder('toKeyId')}`.as('target_id'),
          hubId: notificationModes.hubId,
          mode: notificationModes.mode,
        })
        .from(notificationModes)
        .where(eq(notificationModes.targetId, sql.placeholder('fromKeyId'))),
    ),
  );

  return {
    changeChoices: (userId: string, changes: Partial<NotificationChoices>): void => {
      const set = { userId, ...choiceColumns(changes) };
      db.insert(notificationSettings)
        .values({ ...DEFAULT_CHOICES, quietHours: null, ...set })
        .onConflictDoUpdate({ target: notificationSettings.userId, set })
        .run();
    },
    setMode: (userId: string, mode: NotificationModeRecord): void => {
      db.insert(notificationModes)
        .values({ userId, ...mode })
        .onConflictDoUpdate({
          target: [notificationModes.userId, notificationModes.targetId],
          set: { mode: mode.mode },
        })
        .run();
    },
    deleteMode: (userId: string, targetId: string): void => {
      db.delete(notificationModes)
        .where(and(eq(notificationModes.userId, userId), eq(notificationModes.targetId, targetId)))
        .run();
    },
    copyModes: (fromKeyId: string, toKeyId: string): void => {
      copyModes.run({ fromKeyId, toKeyId });
    },
    setSubscription: ({ p256dh, auth, ...rest }: PushSubscriptionRecord): void => {
      db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, rest.endpoint)).run();
      const values = { ...rest, p256dh: Buffer.from(p256dh), auth: Buffer.from(auth) };
      db.insert(pushSubscriptions)
        .values(values)
        .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: values })
        .run();
    },
    deleteSubscription: (sessionId: string): void => {
      db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId)).run();
    },
    insertIdentity: ({ publicKey, privateKey }: PushIdentity): void => {
      db.insert(pushIdentity)
        .values({ id: 1, publicKey: Buffer.from(publicKey), privateKey: Buffer.from(privateKey) })
        .run();
    },
  };
}
