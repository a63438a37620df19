import type { Notice } from '@hub/contract';

/** Put in by the build. */
declare const HUB_NOTICE_ICON: string;
declare const HUB_NOTICE_BADGE: string;

/** How a notice looks: a later one with the same tag takes its place, so that none is there twice. */
export function noticeOptions({ kind, body, to, tag }: Notice): NotificationOptions {
  return {
    body,
    tag,
    icon: HUB_NOTICE_ICON,
    badge: HUB_NOTICE_BADGE,
    data: { to },
    // A test is to be seen; what pours in need not sound again.
    ...(kind === 'test' ? { renotify: true } : {}),
  };
}
