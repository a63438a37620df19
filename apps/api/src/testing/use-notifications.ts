import type { Store } from '../storage/store.ts';
import { testAudit } from './store-records.ts';
import { newSession, newUser } from './users-records.ts';

/** Calls every method of the notification store. */
export async function useNotifications({ notifications, users }: Store, hubId: string): Promise<void> {
  const user = newUser({}, [hubId]);
  const { id: personId } = await users.create(user);
  const session = newSession(personId);
  await users.createSession({ ...session, passwordHash: user.passwordHash, audit: testAudit() });
  await notifications.choices(personId);
  await notifications.change({ personId, changes: { replies: false } });
  for (const mode of ['every', 'usual'] as const)
    await notifications.setMode({ personId, targetId: hubId, hubId, mode });
  await notifications.modes(personId);
  await notifications.isMuted(personId, hubId);
  await notifications.wantingAllPosts([hubId]);
  await notifications.recipient({ personId, hubId, keyId: null });
  const { id: sessionId } = session.session;
  const keys = { p256dh: new Uint8Array(65), auth: new Uint8Array(16) };
  await notifications.subscribe({ sessionId, personId, endpoint: 'https://push.example.net/', createdAt: 1, ...keys });
  await notifications.subscriptions(personId, 0);
  await notifications.findSubscription(sessionId);
  notifications.countSubscriptions();
  await notifications.unsubscribe({ sessionId, endpoint: 'https://push.example.net/' });
  await notifications.unsubscribe({ sessionId });
  await notifications.identity({ publicKey: new Uint8Array(65), privateKey: new Uint8Array(32) });
  await notifications.findIdentity();
}
