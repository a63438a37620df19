import type { HubNotification } from '@hub/contract';
import { effect } from '@preact/signals';
import { hasAttention } from '../hub/attention.ts';
import { navigate } from '../router/location.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { browserChoice } from './browser-choice.ts';
import { notificationOptions } from './notification-options.ts';
import { subscribe } from './push.ts';
import { serviceWorker } from './service-worker.ts';

/** Of the tabs of one browser, the one that holds this shows the notices. */
const LEADER = 'hub.notices';

/** Shows what the server says that one is to be told of, and tells it whether somebody looks. The result ends that. */
export function watchNotifications({ me, hubs }: Workspace): () => void {
  const personId = me.peek().id;
  const ending = new AbortController();
  let isLeader = false;
  void serviceWorker();
  void lead(ending.signal, () => {
    isLeader = true;
  });
  const stopWatchingAttention = effect(() => hubs.attend(hasAttention.value));
  hubs.setNotificationListener((notification) => {
    const choice = browserChoice(personId);
    // What is pushed to this browser is shown by its service worker.
    const isShownHere = choice !== null && !choice.isPushed && isLeader;
    if (isShownHere && (notification.kind === 'test' || !hasAttention.peek())) void show(notification);
  });
  const open = ({ data }: MessageEvent<unknown>) => {
    const { type, to } = (data ?? {}) as { type?: unknown; to?: unknown };
    if (type === 'open' && typeof to === 'string') navigate(to);
  };
  navigator.serviceWorker?.addEventListener('message', open);
  void renewSubscription(personId);
  return () => {
    ending.abort();
    stopWatchingAttention();
    hubs.setNotificationListener(() => {});
    navigator.serviceWorker?.removeEventListener('message', open);
  };
}

/** Leads when no other tab does, until this one is closed or `signal` says so. Without locks every tab leads: the tag makes them one. */
async function lead(signal: AbortSignal, onLeading: () => void): Promise<void> {
  if (!navigator.locks) return onLeading();
  try {
    await navigator.locks.request(LEADER, { signal }, async () => {
      onLeading();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
  } catch {
    // It was ended before its turn came.
  }
}

async function show(notification: HubNotification): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return;
  const registration = await serviceWorker();
  if (registration) return registration.showNotification(notification.title, notificationOptions(notification));
  const shown = new Notification(notification.title, notificationOptions(notification));
  shown.addEventListener('click', () => {
    shown.close();
    window.focus();
    navigate(notification.to);
  });
}

/** The session may be another one than that which the browser was subscribed with. */
async function renewSubscription(personId: string): Promise<void> {
  if (!browserChoice(personId)?.isPushed || globalThis.Notification?.permission !== 'granted') return;
  try {
    await subscribe();
  } catch {
    // The settings say so; the next page tries again.
  }
}
