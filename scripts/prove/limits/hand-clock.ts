/**
 * The clock of a server that the proof moves by hand: it stands until it is moved. It replaces
 * `adapters/system-clock.ts` (`use-hand-clock.ts`); all else is the server as it is.
 */
import type { Clock } from '../../../apps/api/src/ports.ts';

/** How the clock stands when the process begins. */
export interface ClockStart {
  /** Where commands to move it arrive: an HTTP server on a unix socket. */
  socket: string;
  wallMs: number;
  monotonicMs: number;
  boot: string;
  sinceBootMs: number;
  /** Makes the disk look slow at first, so that the server writes on a thread of its own. */
  slowDisk: boolean;
}

export interface ClockMove {
  /** Time that passes. */
  advanceMs: number;
  /** By how much the wall clock is set forward, or back, besides. */
  jumpMs: number;
}

/** The disk is tried at the very beginning, with two looks at the clock for each of nine flushes. */
const SLOW_READS = 20;
const SLOW_READ_MS = 2;

const start = JSON.parse(process.env.PROVE_CLOCK ?? '{}') as ClockStart;
let { wallMs, monotonicMs, sinceBootMs } = start;
let slowReads = start.slowDisk ? SLOW_READS : 0;

export const handClock: Clock = {
  now: () => wallMs,
  monotonic: () => {
    if (slowReads > 0) {
      slowReads -= 1;
      monotonicMs += SLOW_READ_MS;
    }
    return monotonicMs;
  },
  // Delays and retries wait in real time: they are not part of any limit.
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
