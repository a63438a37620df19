import type { SentTestNotification } from '@hub/contract';

interface BrowserState {
  isSecure: boolean;
  host: string;
  /** `null`: the browser knows no notices. */
  permission: NotificationPermission | null;
  isPhoneOfApple: boolean;
}

/** What keeps this browser from showing notices, and the way on; `null`: nothing. */
export function whyNot({ isSecure, host, permission, isPhoneOfApple }: BrowserState): string | null {
  if (!isSecure) {
    return `Browsers show notices of pages that come over https, and this one does not. Ask whoever runs the server for an https address; http://${host} is not enough.`;
  }
  if (permission === null) {
    return isPhoneOfApple
      ? 'On an iPhone or iPad notices come to the installed app alone. Choose Share, then Add to Home Screen, and open it from there.'
      : 'This browser cannot show notices.';
  }
  if (permission === 'denied') {
    return `The browser blocks notices of ${host}. Allow them in its settings for this site, by the sign left of the address, then load the page anew.`;
  }
  return null;
}

/** What keeps notices from being pushed to it. */
export function whyNotPushed(state: { isPushOn: boolean; canBePushedTo: boolean }): string | null {
  if (!state.isPushOn) return 'This server does not push notices. Whoever runs it can switch that on: HUB_PUSH.';
  return state.canBePushedTo ? null : 'This browser cannot get notices while no page is open.';
}

/** Where a test notice went. The server does not know which of the pages show it: each browser has its own choice. */
export function sentText({ openPages, browsers }: SentTestNotification): string {
  const places = [
    openPages > 0 && `to ${openPages === 1 ? '1 open page' : `${openPages} open pages`}`,
    browsers > 0 && `by push to ${browsers === 1 ? '1 browser' : `${browsers} browsers`}`,
  ].filter((place) => place !== false);
  if (places.length === 0) return 'No open page is connected to the server now. Try again.';
  return `Sent ${places.join(' and ')}. It is shown in browsers where notices are on.`;
}
