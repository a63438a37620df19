import { signal } from '@preact/signals';

/** Whether the browser has a network, or reaches the server without one, as on the server's own machine. */
export const isOnline = signal(true);

/** Small, and answered to everyone. */
const PROBE = '/api/v1';
const RESPONSE_MS = 10_000;

/** Whether the server responds. */
export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(PROBE, { cache: 'no-store', signal: AbortSignal.timeout(RESPONSE_MS) })).ok;
  } catch {
    return false;
  }
}

async function update(): Promise<void> {
  isOnline.value = navigator.onLine;
  if (!navigator.onLine && (await isServerThere())) isOnline.value = true;
}

for (const change of ['online', 'offline'] as const) addEventListener(change, () => void update());
if (!navigator.onLine) void update();
