import { type Clock, systemClock } from '../clock.ts';

/** The dependencies on the runtime, which tests replace. */
export interface RuntimeEnvironment {
  clock: Clock;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  /** Calls `wake` when the machine is back online or the page becomes visible. Returns a function that stops this. */
  onWake: (wake: () => void) => () => void;
}

/**
 * The option that tests use to inject an environment. The package does not export it.
 * @internal
 */
export const RUNTIME_ENVIRONMENT = Symbol('live runtime environment');

interface EventSource {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Listens to browser events. Other runtimes have none, so only timers trigger a reconnect there. */
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
