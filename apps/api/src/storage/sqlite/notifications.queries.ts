import type { QuietHours } from '@hub/contract';
import { and, count, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type {
  NotificationChoices,
  NotificationModeRecord,
  NotificationStore,
  Recipient,
} from '../notification-store.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from './tables/notifications.table.ts';
import { memberships, sessions, users } from './tables/users.table.ts';
import type { Writer } from './writes.ts';

/** The defaults for users who have not changed anything. */
export const DEFAULT_CHOICES: NotificationChoices = {
  mentions: true,
  assignments: true,
  replies: true,
  quietHours: null,
};

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

export function notificationChoiceReads(db: Db) {
  const find = db
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.personId, sql.placeholder('personId')))
    .prepare();
  return (personId: string): NotificationChoices => {
    const row = find.get({ personId });
    if (!row) return DEFAULT_CHOICES;
    const { personId: _, quietHours, ...choices } = row;
    return { ...choices, quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours) };
  };
}

function modeReads(db: Db) {
  const personId = sql.placeholder('personId');
  const list = db
    .select({ ...modeColumns, key: keyColumns })
    .from(notificationModes)
    .innerJoin(hubs, and(eq(hubs.id, notificationModes.hubId), isNull(hubs.deletedAt)))
    .innerJoin(
      memberships,
      and(eq(memberships.hubId, notificationModes.hubId), eq(memberships.personId, notificationModes.personId)),
    )
    .leftJoin(apiKeys, eq(apiKeys.id, notificationModes.targetId))
    .where(eq(notificationModes.personId, personId))
    .prepare();
  const find = db
    .select(modeColumns)
    .from(notificationModes)
    .where(and(eq(notificationModes.personId, personId), eq(notificationModes.targetId, sql.placeholder('targetId'))))
    .prepare();
  const wanting = db
    .select({ personId: notificationModes.personId })
    .from(notificationModes)
    .where(and(eq(notificationModes.targetId, sql.placeholder('targetId')), eq(notificationModes.mode, 'every')))
    .prepare();
  return {
    list: (id: string) => list.all({ personId: id }),
    find: (id: string, targetId: string): NotificationModeRecord | undefined => find.get({ personId: id, targetId }),
    wantingAllPosts: (targetIds: readonly string[]): string[] => [
      ...new Set(targetIds.flatMap((targetId) => wanting.all({ targetId }).map((row) => row.personId))),
    ],
  };
}

function recipientReads(db: Db, modes: ReturnType<typeof modeReads>) {
  const choices = notificationChoiceReads(db);
  const findReader = db
    .select({ id: memberships.personId })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.personId), isNull(users.disabledAt)))
    .innerJoin(hubs, and(eq(hubs.id, memberships.hubId), isNull(hubs.deletedAt)))
    .where(and(eq(memberships.hubId, sql.placeholder('hubId')), eq(memberships.personId, sql.placeholder('personId'))))
    .prepare();
  return ({ personId, hubId, keyId }: { personId: string; hubId: string; keyId: string | null }): Recipient => ({
    ...choices(personId),
    isReader: findReader.get({ personId, hubId }) !== undefined,
    modes: [hubId, keyId]
      .filter((id) => id !== null)
      .map((targetId) => modes.find(personId, targetId))
      .filter((mode) => mode !== undefined),
  });
}

function subscriptionReads(db: Db) {
  const present = db
    .select({
      sessionId: pushSubscriptions.sessionId,
      personId: pushSubscriptions.personId,
      endpoint: pushSubscriptions.endpoint,
      p256dh: pushSubscriptions.p256dh,
      auth: pushSubscriptions.auth,
      createdAt: pushSubscriptions.createdAt,
    })
    .from(pushSubscriptions)
    .innerJoin(
      sessions,
      and(eq(sessions.id, pushSubscriptions.sessionId), gt(sessions.expiresAt, sql.placeholder('now'))),
    )
    .where(eq(pushSubscriptions.personId, sql.placeholder('personId')))
    .prepare();
  const find = db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sql.placeholder('sessionId')))
    .prepare();
  const all = db.select({ all: count() }).from(pushSubscriptions).prepare();
  const identity = db
    .select()
    .from(pushIdentity)
    .where(inArray(pushIdentity.id, [1]))
    .prepare();
  return {
    of: (personId: string, now: number) => present.all({ personId, now }),
    find: (sessionId: string) => find.get({ sessionId }) ?? null,
    count: (): number => all.get()?.all ?? 0,
    identity: () => identity.get() ?? null,
  };
}

export function notificationStore(db: Db, writer: Writer): NotificationStore {
  const modes = modeReads(db);
  const subscriptions = subscriptionReads(db);
  return {
    choices: reading(notificationChoiceReads(db)),
    change: (change) => writer.write('changeNotifications', change),
    modes: reading(modes.list),
    setMode: (change) => writer.write('setNotificationMode', change),
    isMuted: reading((personId: string, hubId: string) => modes.find(personId, hubId)?.mode === 'muted'),
    wantingAllPosts: reading(modes.wantingAllPosts),
    recipient: reading(recipientReads(db, modes)),
    subscribe: (subscription) => writer.write('subscribePush', subscription),
    unsubscribe: (query) => writer.write('unsubscribePush', query),
    subscriptions: reading(subscriptions.of),
    findSubscription: reading(subscriptions.find),
    countSubscriptions: subscriptions.count,
    identity: (made) => writer.write('keepPushIdentity', made),
    findIdentity: reading(subscriptions.identity),
  };
}
