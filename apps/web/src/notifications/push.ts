import type { NotificationSettings } from '@hub/contract';
import { ApiError, request } from '../api/request.ts';
import { serviceWorker } from './service-worker.ts';

const SUBSCRIPTIONS = '/me/push-subscriptions';

/** The browser did not subscribe. The words say why, as far as it tells. */
export class NotSubscribed extends Error {}

/** Whether this browser can be pushed to at all. */
export function canBePushedTo(): boolean {
  return isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis;
}

/**
 * Subscribes this browser and tells the server, in the place of what was there: a key that the server has lost, or another person.
 * @throws NotSubscribed, ApiError, NoAnswer
 */
export async function subscribe(): Promise<void> {
  const { push } = await request<NotificationSettings>('GET', '/me/notices');
  if (push === null) throw new NotSubscribed('This server does not push notices. An admin can switch it on: HUB_PUSH.');
  const registration = await serviceWorker();
  if (!registration) throw new NotSubscribed('The browser does not let this page work in the background.');
  const key = bytesOf(push.publicKey);
  const former = await registration.pushManager.getSubscription();
  if (former && !isSame(former.options.applicationServerKey, key)) await former.unsubscribe();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((error: unknown) => {
      throw new NotSubscribed(`The browser could not subscribe with its push service. ${detailOf(error)}`.trim());
    });
  const { endpoint, keys } = subscription.toJSON();
  await request('POST', SUBSCRIPTIONS, { body: { endpoint, p256dh: keys?.p256dh, auth: keys?.auth } });
}

/** @throws ApiError or NoAnswer: the server may send on, and the browser does not take it. */
export async function unsubscribe(): Promise<void> {
  await dropSubscription();
  try {
    await request('DELETE', SUBSCRIPTIONS);
  } catch (error) {
    if (!(error instanceof ApiError && error.statusCode === 404)) throw error;
  }
}

/** The browser alone, without the server. */
export async function dropSubscription(): Promise<void> {
  if (!canBePushedTo()) return;
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
  return bytes.length === other.length && bytes.every((byte, place) => byte === other[place]);
}
