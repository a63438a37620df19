import type { SentTestNotification } from '@hub/contract';
import { countText } from '../../../lib/count-text.ts';
import { clockTime } from '../../../lib/time/format.ts';

/** Formats minutes after midnight as the value of a time input: `22:00`. */
export function timeText(minute: number): string {
  const twoDigits = (count: number) => String(count).padStart(2, '0');
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** Formats minutes after midnight in the locale of the web app: "22:00". */
export function clockOf(minute: number): string {
  return clockTime(new Date(2024, 0, 1, 0, minute).toISOString());
}

/** Parses the value of a time input to minutes after midnight; `null` if it is not a time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const minute = Number(hours) * 60 + Number(minutes);
  return minute < 24 * 60 ? minute : null;
}

interface BrowserState {
  isSecure: boolean;
  host: string;
  /** `null` if the browser does not support notifications. */
  permission: NotificationPermission | null;
  isAppleDevice: boolean;
}

/** Returns why this browser cannot show notifications and what to do; `null` if it can. */
export function obstacleOf({ isSecure, host, permission, isAppleDevice }: BrowserState): string | null {
  if (!isSecure) {
    return `Notifications need https. Ask your admin for an https address; http://${host} is not enough.`;
  }
  if (permission === null) {
    return isAppleDevice
      ? 'On iPhone and iPad, notifications only work in the installed app. Choose Share, then Add to Home Screen, and open it from there.'
      : 'This browser can’t show notifications.';
  }
  if (permission === 'denied') {
    return `Your browser blocks notifications from ${host}. Allow them in its settings for this site, then reload the page.`;
  }
  return null;
}

/** Returns why notifications cannot be pushed to this browser; `null` if they can. */
export function pushObstacleOf(state: { isPushOn: boolean; supportsPush: boolean }): string | null {
  if (!state.isPushOn)
    return 'Push notifications are turned off on this server. An admin can turn them on with HUB_PUSH.';
  return state.supportsPush ? null : 'This browser can’t receive notifications while Hub is closed.';
}

/** Says where a test notification was sent. Only each browser knows whether it shows it. */
export function sentText({ openPages, browsers, problems }: SentTestNotification): string {
  if (problems.length > 0)
    return `Push failed: ${problems.join('; ')}. An admin finds the cause with hubctl doctor and in the server’s log.`;
  const targets = [
    openPages > 0 && `to ${countText(openPages, 'open page')}`,
    browsers > 0 && `by push to ${countText(browsers, 'browser')}`,
  ].filter((target) => target !== false);
  if (targets.length === 0) return 'Not sent: no open page is connected to the server. Try again.';
  return `Sent ${targets.join(' and ')}. Browsers with notifications turned on show it.`;
}
