import { ApiError, request } from '../request.ts';
import { serviceWorker } from './service-worker.ts';

/** Thrown when the browser does not subscribe. The message gives the reason, if known. */
export class NotSubscribed extends Error {}

/** Whether this browser supports push. */
export function supportsPush(): boolean {
  return isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis;
}

/**
 * Subscribes this browser to push and registers it with the server. Replaces a subscription made with an old key or by
 * another user.
 * @throws NotSubscribed, ApiError, NoResponse
 */
export async function subscribe(): Promise<void> {
  const { push } = await request('GET /me/notices');
  if (push === null)
    throw new NotSubscribed(
      'Push notifications are turned off on this server. An admin can turn them on with HUB_PUSH.',
    );
  const registration = await serviceWorker();
  if (!registration) throw new NotSubscribed('This browser blocks background notifications.');
  const key = bytesOf(push.publicKey);
  const former = await registration.pushManager.getSubscription();
  if (former && !isSame(former.options.applicationServerKey, key)) await former.unsubscribe();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((error: unknown) => {
      throw new NotSubscribed(`Couldn’t subscribe to the browser’s push service. ${detailOf(error)}`.trim());
    });
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  await request('POST /me/push-subscriptions', { body: { endpoint: subscription.endpoint, p256dh, auth } });
}

/**
 * Unsubscribes this browser from push. @throws ApiError or NoResponse: the server may keep sending, but the browser
 * ignores what it sends.
 */
export async function unsubscribe(): Promise<void> {
  await dropSubscription();
  try {
    await request('DELETE /me/push-subscriptions');
  } catch (error) {
    if (!(error instanceof ApiError && error.statusCode === 404)) throw error;
  }
}

/** Removes the subscription in the browser without a request to the server. */
export async function dropSubscription(): Promise<void> {
  if (!supportsPush()) return;
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, index) => byte === other[index]);
}
