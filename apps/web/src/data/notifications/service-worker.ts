import { SERVICE_WORKER, trustedScript } from '../../lib/trusted-script.ts';

let registering: Promise<ServiceWorkerRegistration | null> | undefined;

/** Registers the service worker, for notifications and the offline page. Returns null in browsers without one. */
export function serviceWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= register();
  return registering;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return null;
  try {
    // Some browsers reject silently and return undefined.
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
