import type { HubNotification } from '@hub/contract';

/** Replaced by the build. */
declare const HUB_NOTIFICATION_ICON: string;
declare const HUB_NOTIFICATION_BADGE: string;

/** Returns the options of a notification. A later one with the same tag replaces it, so that none appears twice. */
export function notificationOptions({ kind, body, to, tag, choices = [] }: HubNotification) {
  return {
    body,
    tag,
    icon: HUB_NOTIFICATION_ICON,
    badge: HUB_NOTIFICATION_BADGE,
    data: { to, choices },
    // Some browsers show them as buttons, if a service worker shows the notification.
    actions: choices.map((title) => ({ action: title, title })),
    // A test notification alerts again; other kinds are replaced silently.
    ...(kind === 'test' ? { renotify: true } : {}),
  };
}
