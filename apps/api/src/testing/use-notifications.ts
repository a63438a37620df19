import type { Store } from '../storage/store.ts';
import { testAudit } from './store-records.ts';
import { newSession, newUser } from './users-records.ts';

/** Calls every method of the notification store. */
export async function useNotifications(store: Store, hubId: string): Promise<void> {
  const { notifications, users } = store;
  const user = newUser({}, [hubId]);
  const { id: personId } = await users.create(user);
  const session = newSession(personId);
  await users.createSession({ ...session, passwordHash: user.passwordHash, audit: testAudit() });
  const { id: sessionId } = session.session;
  const keys = { p256dh: new Uint8Array(65), auth: new Uint8Array(16) };
  await store.transaction(async ({ notifications: changed }) => {
    await changed.setChoices(personId, { ...(await changed.choices(personId)), replies: false });
    await changed.setMode(personId, { targetId: hubId, hubId, mode: 'every' });
    await changed.deleteMode(personId, hubId);
    await changed.setSubscription({
      sessionId,
      personId,
      endpoint: 'https://push.example.net/',
      createdAt: 1,
      ...keys,
    });
    await changed.insertIdentity({ publicKey: new Uint8Array(65), privateKey: new Uint8Array(32) });
  });
  await notifications.choices(personId);
  await notifications.modes(personId);
  await notifications.isMuted(personId, hubId);
  await notifications.wantingAllPosts([hubId]);
  await notifications.recipient({ personId, hubId, keyId: null });
  await notifications.subscriptions(personId, 0);
  await notifications.findSubscription(sessionId);
  notifications.countSubscriptions();
  await notifications.findIdentity();
  await store.transaction((tx) => tx.notifications.deleteSubscription(sessionId));
}
