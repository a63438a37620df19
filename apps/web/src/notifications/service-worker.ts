import { SERVICE_WORKER, trustedScript } from '../ui/trusted-script.ts';

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/** What works while no page is open: the notices, and the page for those who are offline. `null` where browsers have none. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return null;
  try {
    // Some browsers refuse without a word, and give nothing.
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
      trustedScript(SERVICE_WORKER),
      { scope: '/', updateViaCache: 'none' },
    );
    return registration === undefined ? null : await navigator.serviceWorker.ready;
  } catch {
    registering = undefined;
    return null;
  }
}
