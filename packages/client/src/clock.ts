import { onAbort } from './on-abort.ts';

/** The clock of the client. It is monotonic, so changes to the system time do not affect waits. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /**
   * Calls `ring` once after `delayMs`, with the accuracy of the platform's timers. Returns a function that cancels it.
   */
  setTimer(delayMs: number, ring: () => void): () => void;
}

/** The longest delay that setTimeout supports. A longer one would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(delayMs, ring) {
    const timer = setTimeout(ring, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits for `delayMs`. An abort ends the wait immediately and rejects with the caller's reason. */
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
