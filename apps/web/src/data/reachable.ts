import { signal } from '@preact/signals';

/** Whether the browser is online, or can reach the server anyway because it runs on the same machine. */
export const isOnline = signal(true);

/** A small response that requires no session. */
const PROBE = '/api/v1';
const RESPONSE_MS = 10_000;

export async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch(PROBE, { cache: 'no-store', signal: AbortSignal.timeout(RESPONSE_MS) })).ok;
  } catch {
    return false;
  }
}

async function update(): Promise<void> {
  isOnline.value = navigator.onLine;
  if (!navigator.onLine && (await isServerReachable())) isOnline.value = true;
}

for (const change of ['online', 'offline'] as const) addEventListener(change, () => void update());
if (!navigator.onLine) void update();
