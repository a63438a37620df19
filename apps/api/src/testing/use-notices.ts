import type { Store } from '../store/store.ts';
import { newPerson, newSession } from './people-records.ts';
import { testAudit } from './store-records.ts';

/** Every method of the port that is about notices. */
export async function useNotices({ notices, people }: Store, hubId: string): Promise<void> {
  const person = newPerson({}, [hubId]);
  const { id: personId } = await people.create(person);
  const session = newSession(personId);
  await people.createSession({ ...session, passwordHash: person.passwordHash, audit: testAudit() });
  await notices.choices(personId);
  await notices.change({ personId, changes: { replies: false } });
  for (const mode of ['every', 'usual'] as const) await notices.setMode({ personId, targetId: hubId, hubId, mode });
  await notices.modes(personId);
  await notices.isMuted(personId, hubId);
  await notices.wantingEvery([hubId]);
  await notices.addressee({ personId, hubId, keyId: null });
  const { id: sessionId } = session.session;
  const keys = { p256dh: new Uint8Array(65), auth: new Uint8Array(16) };
  await notices.subscribe({ sessionId, personId, endpoint: 'https://push.example.net/', createdAt: 1, ...keys });
  await notices.subscriptions(personId, 0);
  await notices.findSubscription(sessionId);
  notices.countSubscriptions();
  await notices.unsubscribe({ sessionId, endpoint: 'https://push.example.net/' });
  await notices.unsubscribe({ sessionId });
  await notices.identity({ publicKey: new Uint8Array(65), privateKey: new Uint8Array(32) });
  await notices.findIdentity();
}
