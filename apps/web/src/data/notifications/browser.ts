import { signal } from '@preact/signals';
import { readStored, writeStored } from '../../lib/stored.ts';
import { SERVICE_WORKER, trustedScript } from '../../lib/trusted-script.ts';
import { ApiError, request } from '../request.ts';

const KEY = 'hub.notifications';

interface BrowserChoice {
  userId: string;
  /** Whether notifications are also pushed while no page is open. */
  isPushed: boolean;
}

/** Null: notifications are off here. The choice belongs to one user and does not apply to anyone else who signs in. */
const choice = signal<BrowserChoice | null>(stored());

addEventListener('storage', ({ key }) => {
  if (key === KEY) choice.value = stored();
});

export function browserChoice(userId: string): BrowserChoice | null {
  return choice.value?.userId === userId ? choice.value : null;
}

export function chooseForBrowser(next: BrowserChoice | null): void {
  choice.value = next;
  writeStored(KEY, next && JSON.stringify(next));
}

function stored(): BrowserChoice | null {
  try {
    const value = JSON.parse(readStored(KEY) ?? 'null') as Partial<BrowserChoice> | null;
    if (typeof value?.userId !== 'string') return null;
    return { userId: value.userId, isPushed: value.isPushed === true };
  } catch {
    return null;
  }
}

/**
 * Whether notifications arrive by push here. False after an attempt to subscribe has failed, for example because push
 * was turned off on the server.
 */
let isPushWorking = true;

/** Whether open pages show notifications in this browser, rather than the service worker. */
export function isShownByPages(userId: string): boolean {
  const current = browserChoice(userId);
  return current !== null && !(current.isPushed && isPushWorking);
}

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/** Registers the service worker, for notifications and the offline page. Returns null in browsers without one. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return null;
  try {
    // Some browsers reject silently and return undefined.
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
      trustedScript(SERVICE_WORKER),
      { scope: '/', updateViaCache: 'none' },
    );
    return registration === undefined ? null : await navigator.serviceWorker.ready;
  } catch {
    registering = undefined;
    return null;
  }
}

/** Thrown when the browser does not subscribe. The message gives the reason, if known. */
class NotSubscribed extends Error {}

export function supportsPush(): boolean {
  return isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis;
}

/**
 * Subscribes this browser to push and registers it with the server. Replaces a subscription made with an old key or by
 * another user.
 * @throws NotSubscribed, ApiError, NoResponse
 */
export async function subscribe(): Promise<void> {
  isPushWorking = false;
  await registerSubscription();
  isPushWorking = true;
}

async function registerSubscription(): Promise<void> {
  const { push } = await request('GET /me/notifications');
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
      throw new NotSubscribed(
        `Couldn’t subscribe to the browser’s push service. ${error instanceof Error ? error.message : ''}`.trim(),
      );
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

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, index) => byte === other[index]);
}

/** Clears what this browser stores about a user who has signed out; the server has ended the subscription. */
export async function forgetBrowser(): Promise<void> {
  chooseForBrowser(null);
  await Promise.allSettled([dropSubscription(), closeShown(), dropFiles(), navigator.clearAppBadge?.()]);
}

async function closeShown(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}

/** Deletes cached code, which would reveal what the user opened, but not the offline page. */
async function dropFiles(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const requests = await cache.keys();
    const opened = requests.filter(
      ({ url }) => !/^\/(?:offline$|app\/(?:offline-|main-[^/]+\.css$))/.test(new URL(url).pathname),
    );
    await Promise.all(opened.map((file) => cache.delete(file)));
  }
}
