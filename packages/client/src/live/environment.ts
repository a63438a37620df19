import { type Clock, systemClock } from '../clock.ts';

/** What the library cannot make up by itself. */
export interface RuntimeEnvironment {
  clock: Clock;
  /** From 0 on, below 1. */
  random: () => number;
  /** Calls `wake` when the machine seems to be back on the network or the page in view; the result stops that. */
  onWake: (wake: () => void) => () => void;
}

/**
 * Tests put their own time here; the package's entry does not export it.
 * @internal
 */
export const RUNTIME_ENVIRONMENT = Symbol('live surroundings');

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** In a browser. Elsewhere there is nothing to hear, and the timers alone bring a connection back. */
function onWake(wake: () => void): () => void {
  const page = globalThis as Partial<EventSource> & { document?: EventSource & { visibilityState?: string } };
  const { document } = page;
  if (page.addEventListener === undefined || page.removeEventListener === undefined) return () => {};
  const onVisible = () => {
    if (document?.visibilityState === 'visible') wake();
  };
  page.addEventListener('online', wake);
  document?.addEventListener('visibilitychange', onVisible);
  return () => {
    page.removeEventListener?.('online', wake);
    document?.removeEventListener('visibilitychange', onVisible);
  };
}

export const systemEnvironment: RuntimeEnvironment = { clock: systemClock, random: Math.random, onWake };
