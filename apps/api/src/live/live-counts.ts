import { LIVE_CLOSE } from '@hub/contract';
import type { Presence } from '../storage/postgres/nodes/shared-notifications.ts';
import type { LiveSocket } from './live-socket.ts';

/** The code that Bun reports if no close frame was sent or received (RFC 6455, section 7.4.1). */
const ABNORMAL_CLOSE = 1006;

interface LiveTotals {
  publishedEvents: number;
  replays: number;
  resets: number;
  /** Connections that ended without a closing handshake: the client read too slowly, or the connection broke. */
  abnormalCloses: number;
  /** How many of the abnormal closes were caused by a client that read too slowly. */
  backpressureCloses: number;
  deniedCloses: number;
}

/** The totals, and the connections and subscriptions that are open now. */
export interface LiveCounts extends LiveTotals {
  sockets: number;
  subscriptions: number;
}

export function zeroTotals(): LiveTotals {
  return { publishedEvents: 0, replays: 0, resets: 0, abnormalCloses: 0, backpressureCloses: 0, deniedCloses: 0 };
}

export function countClose(totals: LiveTotals, code: number, isTooSlow: boolean): void {
  if (code === LIVE_CLOSE.unauthenticated) totals.deniedCloses += 1;
  if (code !== ABNORMAL_CLOSE) return;
  totals.abnormalCloses += 1;
  if (isTooSlow) totals.backpressureCloses += 1;
}

/** Returns the users of these connections that are pages. */
export function presenceOf(sockets: Iterable<LiveSocket>): Presence {
  const pages = [...sockets].filter(({ caller }) => caller.credential.kind === 'session');
  const usersOf = (each: readonly LiveSocket[]) => each.flatMap(({ caller }) => caller.user?.id ?? []);
  return { pages: usersOf(pages), attending: usersOf(pages.filter(({ hasAttention }) => hasAttention)) };
}
