import { and, eq, sql } from 'drizzle-orm';
import { credentialEndedError } from '../../users/authenticate-user.ts';
import type { UserAction } from '../acting-user.ts';
import type { NotificationChoices, PushIdentity, PushSubscriptionRecord } from '../notification-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { Db } from './engine/database.ts';
import { notificationChoiceReads } from './notifications.queries.ts';
import {
  notificationModes,
  notificationSettings,
  pushIdentity,
  pushSubscriptions,
} from './tables/notifications.table.ts';
import { sessions } from './tables/users.table.ts';

interface ChoiceChange extends UserAction {
  personId: string;
  changes: Partial<NotificationChoices>;
}

interface ModeChange extends UserAction {
  personId: string;
  targetId: string;
  hubId: string;
  mode: 'usual' | 'every' | 'muted';
}

/** Each function runs inside a writer transaction. */
export function notificationWrites(db: Db, access: AccessChecks) {
  const choices = notificationChoiceReads(db);

  return {
    changeNotifications: ({ personId, changes, actingUser }: ChoiceChange): NotificationChoices => {
      access.requireSignedIn(actingUser);
      const changed = { ...choices(personId), ...changes };
      const quietHours = changed.quietHours === null ? null : JSON.stringify(changed.quietHours);
      const values = { ...changed, quietHours };
      db.insert(notificationSettings)
        .values({ personId, ...values })
        .onConflictDoUpdate({ target: notificationSettings.personId, set: values })
        .run();
      return changed;
    },
    setNotificationMode: ({ personId, targetId, hubId, mode, actingUser }: ModeChange): void => {
      access.requireMember(actingUser, hubId, ['Hub', hubId]);
      if (mode === 'usual') {
        db.delete(notificationModes)
          .where(and(eq(notificationModes.personId, personId), eq(notificationModes.targetId, targetId)))
          .run();
        return;
      }
      db.insert(notificationModes)
        .values({ personId, targetId, hubId, mode })
        .onConflictDoUpdate({ target: [notificationModes.personId, notificationModes.targetId], set: { mode } })
        .run();
    },
    subscribePush: ({ p256dh, auth, ...rest }: PushSubscriptionRecord): void => {
      const session = db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, rest.sessionId)).get();
      if (!session) throw credentialEndedError('session');
      db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, rest.endpoint)).run();
      const values = { ...rest, p256dh: Buffer.from(p256dh), auth: Buffer.from(auth) };
      db.insert(pushSubscriptions)
        .values(values)
        .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: values })
        .run();
    },
    unsubscribePush: ({ sessionId, endpoint }: { sessionId: string; endpoint?: string }): boolean => {
      const ofSession = eq(pushSubscriptions.sessionId, sessionId);
      const removed = db
        .delete(pushSubscriptions)
        .where(endpoint === undefined ? ofSession : and(ofSession, eq(pushSubscriptions.endpoint, endpoint)))
        .returning({ id: pushSubscriptions.sessionId })
        .get();
      return removed !== undefined;
    },
    keepPushIdentity: ({ publicKey, privateKey }: PushIdentity): PushIdentity => {
      const made = { publicKey: Buffer.from(publicKey), privateKey: Buffer.from(privateKey) };
      db.insert(pushIdentity)
        .values({ id: 1, ...made })
        .onConflictDoNothing()
        .run();
      return db.select().from(pushIdentity).get() ?? made;
    },
  };
}

/** Each function runs inside a transaction. */
export function notificationChanges(db: Db) {
  const copyModes = db
    .insert(notificationModes)
    .select(
      db
        .select({
          personId: notificationModes.personId,
          targetId: sql<string>`${sql.placeholder('toKeyId')}`.as('target_id'),
          hubId: notificationModes.hubId,
          mode: notificationModes.mode,
        })
        .from(notificationModes)
        .where(eq(notificationModes.targetId, sql.placeholder('fromKeyId'))),
    )
    .prepare();
  return {
    copyModes: (fromKeyId: string, toKeyId: string): void => {
      copyModes.run({ fromKeyId, toKeyId });
    },
  };
}
