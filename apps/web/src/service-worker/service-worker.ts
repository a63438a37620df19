import type { HubNotification } from '@hub/contract';
import { notificationOptions } from '../data/notifications/notification-options.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => event.waitUntil(Promise.all([cacheOfflineFiles(), self.skipWaiting()])));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([deleteOldCaches(), self.clients.claim()])));

// All other requests, above all to the API, bypass the worker.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (/^\/app\/[^/]+$/.test(url.pathname)) return event.respondWith(cachedAsset(request));
  const isPage = request.mode === 'navigate' && !url.pathname.startsWith('/api/');
  if (isPage) event.respondWith(fetch(request).catch(offlinePage));
});

self.addEventListener('push', (event) => event.waitUntil(showPushed(event.data?.text() ?? '')));
self.addEventListener('notificationclick', (event) => event.waitUntil(pressNotification(event)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

/** Set by the build: a name for its output, and the files of the offline page. */
declare const HUB_BUILD: string;
declare const HUB_OFFLINE_FILES: readonly string[];

const PREFIX = 'hub-files-';
const CACHE = `${PREFIX}${HUB_BUILD}`;
const OFFLINE_PAGE = '/offline';

/** Stores everything that the offline page needs. */
async function cacheOfflineFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE_PAGE, ...HUB_OFFLINE_FILES].map((file) => new Request(file, { cache: 'no-cache' })));
}

async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** Returns a file with a content hash in its name. It never changes, so it is fetched once. */
async function cachedAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.status === 200 && response.type === 'basic') {
    const copy = response.clone();
    // Full storage must not prevent the file from being used.
    void caches
      .open(CACHE)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  }
  return response;
}

/** Returns the offline page. Old pages of the app are never returned, since their content would be outdated. */
async function offlinePage(): Promise<Response> {
  return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
}

const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions';

/** Returns the open pages of the app. The API reference shows no items and opens no notifications. */
async function appPages(): Promise<readonly WindowClient[]> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return pages.filter(({ url }) => !new URL(url).pathname.startsWith('/api/'));
}

/**
 * Shows a push notification, and closes it at once if a page of the app has the focus. Safari ends the subscription of
 * a service worker that shows nothing.
 */
async function showPushed(text: string): Promise<void> {
  const pushed = readNotification(text);
  const pages = await appPages();
  const isLookedAt = pages.some((page) => page.focused && page.visibilityState === 'visible');
  const isClosed = isLookedAt && pushed.kind !== 'test';
  const options = notificationOptions(pushed);
  await self.registration.showNotification(pushed.title, isClosed ? { ...options, silent: true } : options);
  if (isClosed) for (const former of await self.registration.getNotifications({ tag: pushed.tag })) former.close();
  if (pages.length === 0) await markApp();
}

/** Answers the question of a notification by the pressed choice, or opens its source. */
async function pressNotification({ notification, action }: NotificationEvent): Promise<void> {
  notification.close();
  if (!action || !(await isAnswered(notification, action))) await openNotification(notification);
}

/** Sends the pressed choice as the signed-in user. Returns false if it does not count: the page shows who was first. */
async function isAnswered({ data }: Notification, choice: string): Promise<boolean> {
  const { to = '' } = data as { to?: string };
  const answer = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ choice }) };
  return fetch(`/api/v1/messages/${to.replace('/p/', '')}/answer`, answer).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Opens the source of a notification, in an existing page or in a new one. */
async function openNotification(notification: Notification): Promise<void> {
  const { to } = (notification.data ?? {}) as { to?: unknown };
  const path = isOwnPath(to) ? to : '/';
  const pages = await appPages();
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (!page) {
    await self.clients.openWindow(path);
    return;
  }
  page.postMessage({ type: 'open', to: path } satisfies OpenMessage);
  await page.focus();
}

/** Sends the new subscription to the server after the push service has changed it. */
async function renewSubscription(event: PushSubscriptionChangeEvent): Promise<void> {
  const key = event.oldSubscription?.options.applicationServerKey;
  const subscription =
    event.newSubscription ??
    (key ? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }) : null);
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (endpoint === undefined || !keys) return;
  await fetch(SUBSCRIPTIONS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
  });
}

/** Parses a push message. The result always has a title, since browsers require a notification for every push. */
function readNotification(text: string): HubNotification {
  try {
    const pushed = JSON.parse(text) as Partial<HubNotification>;
    const { kind = 'post', title, body = '', to = '/', tag = 'hub', choices = [] } = pushed;
    if (typeof title === 'string' && isOwnPath(to)) return { kind, title, body: String(body), to, tag, choices };
  } catch {
    // The message is not from this server, or from another version of it.
  }
  return { kind: 'post', title: 'New activity in Hub', body: '', to: '/', tag: 'hub' };
}

function isOwnPath(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to);
}

/** Shows a dot on the icon of the installed app. The page replaces it with a number when it opens. */
async function markApp(): Promise<void> {
  await navigator.setAppBadge?.().catch(() => {});
}

/** Sent to a page when a notification has been clicked. */
interface OpenMessage {
  type: 'open';
  to: string;
}
