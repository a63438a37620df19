import type { HubNotification } from '@hub/contract';
import { notificationOptions } from '../notifications/notification-options.ts';
import type { OpenMessage, SubscriptionEvent, WorkerScope } from './scope.ts';

const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions';

/** Shows what came by push, unless somebody looks at a page of the Hub right now. */
export async function showPushed({ registration, clients }: WorkerScope, text: string): Promise<void> {
  const pushed = readNotification(text);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isLookedAt = pages.some((page) => page.focused && page.visibilityState === 'visible');
  if (isLookedAt && pushed.kind !== 'test') return;
  await registration.showNotification(pushed.title, notificationOptions(pushed));
  if (pages.length === 0) await markApp();
}

/** Goes to what a notice is of: in a page that is there, or in a new one. */
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

/** The push service has given the browser another address: the server is told. */
export async function renew({ registration }: WorkerScope, event: SubscriptionEvent): Promise<void> {
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

/** A browser wants something to be shown for whatever was pushed. */
function readNotification(text: string): HubNotification {
  try {
    const pushed = JSON.parse(text) as Partial<HubNotification>;
    const { kind = 'post', title, body = '', to = '/', tag = 'hub' } = pushed;
    if (typeof title === 'string' && isOwnPath(to)) return { kind, title, body: String(body), to, tag };
  } catch {
    // It is not from this server, or from another version of it.
  }
  return { kind: 'post', title: 'Something new in the Hub', body: '', to: '/', tag: 'hub' };
}

function isOwnPath(to: unknown): to is string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to);
}

/** A dot on the icon of the installed app; the page puts a number there when it is opened. */
async function markApp(): Promise<void> {
  await navigator.setAppBadge?.().catch(() => {});
}
