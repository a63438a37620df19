import { and, eq } from 'drizzle-orm';
import { notValidAnyMore } from '../../people/authenticate-person.ts';
import type { NoticeChoices, PushIdentity, PushSubscriptionRecord } from '../notice-store.ts';
import type { ByPerson } from '../standing.ts';
import type { Db } from './database.ts';
import { noticeChoiceReads } from './notices.queries.ts';
import type { StandingReads } from './standing.queries.ts';
import { noticeModes, noticeSettings, pushIdentity, pushSubscriptions } from './tables/notices.table.ts';
import { sessions } from './tables/people.table.ts';

interface ChoiceChange extends ByPerson {
  personId: string;
  changes: Partial<NoticeChoices>;
}

interface ModeChange extends ByPerson {
  personId: string;
  targetId: string;
  hubId: string;
  mode: 'usual' | 'every' | 'muted';
}

/** Each function runs inside a transaction of the writer. */
export function noticeWrites(db: Db, standing: StandingReads) {
  const choices = noticeChoiceReads(db);

  return {
    changeNotices: ({ personId, changes, by }: ChoiceChange): NoticeChoices => {
      standing.requireSignedIn(by);
      const changed = { ...choices(personId), ...changes };
      const quietHours = changed.quietHours === null ? null : JSON.stringify(changed.quietHours);
      const values = { ...changed, quietHours };
      db.insert(noticeSettings)
        .values({ personId, ...values })
        .onConflictDoUpdate({ target: noticeSettings.personId, set: values })
        .run();
      return changed;
    },
    setNoticeMode: ({ personId, targetId, hubId, mode, by }: ModeChange): void => {
      standing.requireMember(by, hubId, ['Hub', hubId]);
      if (mode === 'usual') {
        db.delete(noticeModes)
          .where(and(eq(noticeModes.personId, personId), eq(noticeModes.targetId, targetId)))
          .run();
        return;
      }
      db.insert(noticeModes)
        .values({ personId, targetId, hubId, mode })
        .onConflictDoUpdate({ target: [noticeModes.personId, noticeModes.targetId], set: { mode } })
        .run();
    },
    subscribePush: ({ p256dh, auth, ...rest }: PushSubscriptionRecord): void => {
      const session = db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, rest.sessionId)).get();
      if (!session) throw notValidAnyMore('session');
      db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, rest.endpoint)).run();
      const values = { ...rest, p256dh: Buffer.from(p256dh), auth: Buffer.from(auth) };
      db.insert(pushSubscriptions)
        .values(values)
        .onConflictDoUpdate({ target: pushSubscriptions.sessionId, set: values })
        .run();
    },
    unsubscribePush: ({ sessionId, endpoint }: { sessionId: string; endpoint?: string }): boolean => {
      const isIt = eq(pushSubscriptions.sessionId, sessionId);
      const removed = db
        .delete(pushSubscriptions)
        .where(endpoint === undefined ? isIt : and(isIt, eq(pushSubscriptions.endpoint, endpoint)))
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
