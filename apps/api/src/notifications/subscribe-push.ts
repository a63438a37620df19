import type { PushSubscriptionInfo, SubscribePushBody } from '@hub/contract';
import type { UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTime } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { isPublicKey } from './encrypt-push.ts';
import { endpointProblem } from './push-address.ts';

const AUTH_BYTES = 16;

/** Subscribes the browser of this session to push notifications while no page is open. */
export async function subscribePush(
  { store, clock, revocations, notifications }: Pick<Deps, 'store' | 'clock' | 'revocations' | 'notifications'>,
  caller: UserCaller,
  { endpoint, p256dh, auth }: SubscribePushBody,
): Promise<PushSubscriptionInfo> {
  if (notifications.publicKey === null) {
    throw new AppError(
      'conflict',
      'Push notifications are turned off on this server (HUB_PUSH). Notifications appear in open pages only.',
    );
  }
  const problem = endpointProblem(endpoint, notifications);
  if (problem !== null) throw new AppError('invalid', problem);
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)];
  if (!isPublicKey(point)) throw new AppError('invalid', 'p256dh must be the public key of the browser in base64url');
  if (secret.length !== AUTH_BYTES) {
    throw new AppError('invalid', `auth must be the secret of the browser: ${AUTH_BYTES} bytes in base64url`);
  }
  const now = clock.now();
  await changeAs({ store, clock, revocations }, caller, (tx) =>
    tx.notifications.setSubscription({
      sessionId: caller.credential.id,
      personId: caller.user.id,
      endpoint,
      p256dh: point,
      auth: secret,
      createdAt: now,
    }),
  );
  return { service: new URL(endpoint).host, createdAt: isoTime(now) };
}

/** Ends the push subscription of this session. */
export async function unsubscribePush(deps: Deps, caller: UserCaller): Promise<PushSubscriptionInfo> {
  const { id: sessionId } = caller.credential;
  const ended = await changeAs(deps, caller, async ({ notifications }) => {
    const known = await notifications.findSubscription(sessionId);
    if (known) await notifications.deleteSubscription(sessionId);
    return known;
  });
  if (!ended) throw new AppError('not_found', 'The browser of this session is not subscribed to push notifications.');
  return { service: new URL(ended.endpoint).host, createdAt: isoTime(ended.createdAt) };
}

function bytesOf(base64Url: string): Uint8Array {
  return /^[\w-]*={0,2}$/.test(base64Url) ? Buffer.from(base64Url, 'base64url') : new Uint8Array();
}
