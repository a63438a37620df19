import type { HubNotification } from '@hub/contract';

/** Put in by the build. */
declare const HUB_NOTIFICATION_ICON: string;
declare const HUB_NOTIFICATION_BADGE: string;

/** How a notice looks: a later one with the same tag takes its place, so that none is there twice. */
export function notificationOptions({ kind, body, to, tag }: HubNotification): NotificationOptions {
  return {
    body,
    tag,
    icon: HUB_NOTIFICATION_ICON,
    badge: HUB_NOTIFICATION_BADGE,
    data: { to },
    // A test is to be seen; what pours in need not sound again.
    ...(kind === 'test' ? { renotify: true } : {}),
  };
}
