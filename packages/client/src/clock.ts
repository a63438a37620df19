import { onAbort } from './on-abort.ts';

/** The time that the client lives by: a monotonic one, so that a wall clock set back or forward changes no wait. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** Calls `ring` once, no sooner than the timers of the platform allow after `delayMs`; the result cancels it. */
  setTimer(delayMs: number, ring: () => void): () => void;
}

/** The longest delay that setTimeout keeps: a longer one would ring at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(delayMs, ring) {
    const timer = setTimeout(ring, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits for `delayMs`; an abort ends the wait at once and rejects with the caller's own reason. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stopListening = onAbort(signal, () => {
      cancel();
      reject(signal?.reason);
    });
    const cancel = clock.setTimer(delayMs, () => {
      stopListening();
      resolve();
    });
  });
}
