import type { HubNotification } from '@hub/contract';
import { notificationOptions } from '../data/notifications/notification-options.ts';
import type { OpenMessage, SubscriptionEvent, WorkerScope } from './scope.ts';

const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions';

/** Shows a push notification, unless a page of this server has the focus. */
export async function showPushed({ registration, clients }: WorkerScope, text: string): Promise<void> {
  const pushed = readNotification(text);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isLookedAt = pages.some((page) => page.focused && page.visibilityState === 'visible');
  if (isLookedAt && pushed.kind !== 'test') return;
  await registration.showNotification(pushed.title, notificationOptions(pushed));
  if (pages.length === 0) await markApp();
}

/** Opens the source of a notification, in an existing page or in a new one. */
export async function openNotification({ clients }: WorkerScope, notification: Notification): Promise<void> {
  notification.close();
  const { to } = (notification.data ?? {}) as { to?: unknown };
  const path = isOwnPath(to) ? to : '/';
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (!page) {
    await clients.openWindow(path);
    return;
  }
  page.postMessage({ type: 'open', to: path } satisfies OpenMessage);
  await page.focus();
}

/** Sends the new subscription to the server after the push service has changed it. */
export async function renewSubscription({ registration }: WorkerScope, event: SubscriptionEvent): Promise<void> {
  const key = event.oldSubscription?.options.applicationServerKey;
  const subscription =
    event.newSubscription ??
    (key ? await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }) : null);
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
    const { kind = 'post', title, body = '', to = '/', tag = 'hub' } = pushed;
    if (typeof title === 'string' && isOwnPath(to)) return { kind, title, body: String(body), to, tag };
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
