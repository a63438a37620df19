import { LIVE_CLOSE } from '@hub/contract';

/** What Bun reports if no closing frame came or went (RFC 6455, section 7.4.1). */
const ABNORMAL_CLOSE = 1006;

/** Sums since the start, for the metrics. */
export interface LiveSums {
  publishedEvents: number;
  replays: number;
  resets: number;
  /** Ended without a closing handshake: they read too slowly, or the connection broke. */
  abnormalCloses: number;
  /** Of those, the ones that were cut because they read too slowly. */
  backpressureCloses: number;
  /** Closed because their session, token or account ended. */
  deniedCloses: number;
}

/** The same with what is open at this moment. */
export interface LiveCounts extends LiveSums {
  sockets: number;
  subscriptions: number;
}

export function noSums(): LiveSums {
  return { publishedEvents: 0, replays: 0, resets: 0, abnormalCloses: 0, backpressureCloses: 0, deniedCloses: 0 };
}

/** Counts the end of a connection. */
export function countClose(sums: LiveSums, code: number, isTooSlow: boolean): void {
  if (code === LIVE_CLOSE.unauthenticated) sums.deniedCloses += 1;
  if (code !== ABNORMAL_CLOSE) return;
  sums.abnormalCloses += 1;
  if (isTooSlow) sums.backpressureCloses += 1;
}
