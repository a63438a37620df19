import { chooseForBrowser } from './browser-choice.ts';
import { dropSubscription } from './push.ts';

/** Somebody has signed out: nothing of his is told or kept here any more. The server has ended the subscription with the session. */
export async function forgetBrowser(): Promise<void> {
  chooseForBrowser(null);
  await Promise.allSettled([dropSubscription(), closeShown(), dropFiles(), navigator.clearAppBadge?.()]);
}

async function closeShown(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** Parts that were opened tell what somebody did. The page for those who are offline stays, which is the same for everybody. */
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
