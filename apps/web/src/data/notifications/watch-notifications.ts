import type { HubNotification } from '@hub/contract';
import { effect } from '@preact/signals';
import { hasAttention } from '../../lib/attention.ts';
import { navigate } from '../../lib/router/location.ts';
import type { Workspace } from '../live/workspace.ts';
import { browserChoice, dropSubscription, isShownByPages, serviceWorker, subscribe } from './browser.ts';
import { notificationOptions } from './notification-options.ts';

/** The lock held by the tab that shows notifications for the whole browser. */
const LEADER = 'hub.notifications';

/** Shows notifications from the server, and reports whether the tab has attention. Returns the stop function. */
export function watchNotifications({ me, hubs }: Workspace): () => void {
  const userId = me.peek().id;
  const ending = new AbortController();
  let isLeader = false;
  void serviceWorker();
  void lead(ending.signal, () => {
    isLeader = true;
  });
  const stopWatchingAttention = effect(() => hubs.attend(hasAttention.value));
  hubs.setNotificationListener((notification) => {
    const isShownHere = isLeader && isShownByPages(userId);
    if (isShownHere && (notification.kind === 'test' || !hasAttention.peek())) void show(notification);
  });
  void renewSubscription(userId);
  return () => {
    ending.abort();
    stopWatchingAttention();
    hubs.setNotificationListener(() => {});
  };
}

/**
 * Makes this tab the leader when no other tab is, until it is closed or `signal` aborts. In browsers without locks
 * every tab leads, and the notification tag merges duplicates.
 */
async function lead(signal: AbortSignal, onLeading: () => void): Promise<void> {
  if (!navigator.locks) return onLeading();
  try {
    await navigator.locks.request(LEADER, { signal }, async () => {
      onLeading();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
  } catch {
    // Aborted before the lock was granted.
  }
}

async function show(notification: HubNotification): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return;
  const registration = await serviceWorker();
  if (registration) return registration.showNotification(notification.title, notificationOptions(notification));
  const { actions: _, ...options } = notificationOptions(notification);
  const popup = new Notification(notification.title, options);
  popup.addEventListener('click', () => {
    popup.close();
    window.focus();
    navigate(notification.to);
  });
}

/**
 * Subscribes again, since the current session may not be the one that subscribed. Drops what another user has left: it
 * could still receive their notifications, and if the push service replaced it, it would be registered for this user.
 */
async function renewSubscription(userId: string): Promise<void> {
  const choice = browserChoice(userId);
  try {
    if (!choice) await dropSubscription();
    else if (choice.isPushed && globalThis.Notification?.permission === 'granted') await subscribe();
  } catch {
    // The settings show the error, and the next page load tries again.
  }
}
