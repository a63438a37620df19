import type { Store } from '../storage/store.ts';
import { insertSession, insertUser } from './store-writes.ts';
import { newSession, newUser } from './users-records.ts';

/** Calls every method of the notification store. */
export async function useNotifications(store: Store, hubId: string): Promise<void> {
  const { notifications } = store;
  const { id: personId } = await insertUser(store, newUser({}, [hubId]));
  const session = newSession(personId);
  await insertSession(store, session);
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
