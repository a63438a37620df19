import { chooseForBrowser } from './browser-choice.ts';
import { dropSubscription } from './push.ts';

/**
 * Clears what this browser stores about a user who has signed out. The server has already ended the push subscription.
 */
export async function forgetBrowser(): Promise<void> {
  chooseForBrowser(null);
  await Promise.allSettled([dropSubscription(), closeShown(), dropFiles(), navigator.clearAppBadge?.()]);
}

async function closeShown(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/**
 * Deletes cached code, which would reveal what the user opened. The offline page is the same for everyone and stays.
 */
async function dropFiles(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const kept = await cache.keys();
    const opened = kept.filter(
      ({ url }) => !/^\/(?:offline$|app\/(?:offline-|main-[^/]+\.css$))/.test(new URL(url).pathname),
    );
    await Promise.all(opened.map((file) => cache.delete(file)));
  }
}
