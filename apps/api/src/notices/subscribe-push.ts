import type { PushSubscriptionInfo, SubscribePushBody } from '@hub/contract';
import type { PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { isoTime } from '../time.ts';
import { isPublicKey } from './encrypt-push.ts';
import { endpointFault } from './push-address.ts';

const AUTH_BYTES = 16;

/** From now on the browser of this session is sent notices while no page is open. */
export async function subscribePush(
  { store, clock, notices }: Pick<Deps, 'store' | 'clock' | 'notices'>,
  { person, credential }: PersonCaller,
  { endpoint, p256dh, auth }: SubscribePushBody,
): Promise<PushSubscriptionInfo> {
  if (notices.publicKey === null) {
    throw new Refusal('conflict', 'This server does not push notices: HUB_PUSH is off. They come to open pages only.');
  }
  const fault = endpointFault(endpoint, notices);
  if (fault !== null) throw new Refusal('invalid', fault);
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)];
  if (!isPublicKey(point)) throw new Refusal('invalid', 'p256dh must be the public key of the browser, base64url');
  if (secret.length !== AUTH_BYTES) {
    throw new Refusal('invalid', `auth must be the secret of the browser: ${AUTH_BYTES} bytes, base64url`);
  }
  const now = clock.now();
  await store.notices.subscribe({
    sessionId: credential.id,
    personId: person.id,
    endpoint,
    p256dh: point,
    auth: secret,
    createdAt: now,
  });
  return { service: new URL(endpoint).host, createdAt: isoTime(now) };
}

/** The browser of this session is sent nothing any more. */
export async function unsubscribePush(
  { store }: Pick<Deps, 'store'>,
  { credential }: PersonCaller,
): Promise<PushSubscriptionInfo> {
  const { id: sessionId } = credential;
  const known = await store.notices.findSubscription(sessionId);
  if (!known || !(await store.notices.unsubscribe({ sessionId }))) {
    throw new Refusal('not_found', 'The browser of this session is not subscribed.');
  }
  return { service: new URL(known.endpoint).host, createdAt: isoTime(known.createdAt) };
}

function bytesOf(base64Url: string): Uint8Array {
  return /^[\w-]*={0,2}$/.test(base64Url) ? Buffer.from(base64Url, 'base64url') : new Uint8Array();
}
