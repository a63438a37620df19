/**
 * A server clock that stands still until the proof moves it. As a preload of Bun, this file replaces
 * `platform/adapters/system-clock.ts`; everything else is the real server.
 */
import type { Clock } from '../../../apps/api/src/for-tests.ts';

/** The state of the clock when the process starts. */
export interface ClockStart {
  /** The unix socket of an HTTP server that receives commands to move the clock. */
  socket: string;
  wallMs: number;
  monotonicMs: number;
  boot: string;
  sinceBootMs: number;
}

export interface ClockMove {
  /** How much time passes. */
  advanceMs: number;
  /** An additional change to the wall clock, forward or backward. */
  jumpMs: number;
}

const start = JSON.parse(process.env.MANUAL_CLOCK ?? '{}') as ClockStart;
let { wallMs, monotonicMs, sinceBootMs } = start;

export const manualClock: Clock = {
  now: () => wallMs,
  monotonic: () => monotonicMs,
  // Delays and retries use real time, since no limit depends on them.
  sleep: (ms) => Bun.sleep(ms),
  sinceBoot: () => ({ boot: start.boot, ms: sinceBootMs }),
};

Bun.serve({
  unix: start.socket,
  fetch: async (request) => {
    const { advanceMs, jumpMs } = (await request.json()) as ClockMove;
    monotonicMs += advanceMs;
    sinceBootMs += advanceMs;
    wallMs += advanceMs + jumpMs;
    return new Response();
  },
});

Bun.plugin({
  name: 'a manual clock',
  setup: (build) => {
    build.onLoad({ filter: /[\\/]adapters[\\/]system-clock\.ts$/ }, () => ({
      contents: `export { manualClock as systemClock } from ${JSON.stringify(import.meta.path)};`,
      loader: 'ts',
    }));
  },
});
