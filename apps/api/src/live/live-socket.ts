import { LIMITS, LIVE_CLOSE, type LiveErrorCode } from '@hub/contract';
import { type Caller, factorDueAt } from '../access/caller.ts';
import type { CredentialUses } from '../access/credentials.ts';
import type { Presence } from '../storage/postgres/nodes/shared-notifications.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame, type ReplayedFrame } from './live-frames.ts';

/** Data attached to a connection when it is opened. */
export interface LiveConnection {
  caller: Caller;
  requestId: string;
  socket?: LiveSocket;
}

/** The part of Bun's WebSocket that is used here. */
type Wire = Pick<
  Bun.ServerWebSocket<LiveConnection>,
  'send' | 'cork' | 'ping' | 'close' | 'terminate' | 'subscribe' | 'unsubscribe' | 'getBufferedAmount'
>;

/** A Hub that a connection follows: first by replaying the events after `sent`, then live through the Hub's topic. */
export interface Subscription {
  readonly feed: HubFeed;
  readonly epoch: string;
  /** The sequence number of the last event replayed to this connection. */
  sent: number;
  isLive: boolean;
  /** How many events to replay at a time. Starts low and rises if the events turn out to be small. */
  pace: number;
}

export function newSubscription(feed: HubFeed, epoch: string, sent: number): Subscription {
  return { feed, epoch, sent, isLive: false, pace: FIRST_PACE };
}

/**
 * How many bytes can wait for a slow reader before it is closed, reconnects and resumes. More than the largest event, a
 * note of six bytes per character in JSON, or the event after it would end fast readers' connections.
 */
const BACKPRESSURE_BYTES = 2 * 1024 * 1024;
/** When a silent connection gets a ping, and how long after an unanswered ping it is terminated. */
const SILENCE = { pingAfterMs: 25_000, terminateAfterMs: 35_000 };
/** Longer than the two times above combined, so that Bun's own timeout does not apply. */
const IDLE_SECONDS = 120;

/** More than can be published at a time: beyond it, Bun leaves a gap. `closeIfTooSlow` closes connections before. */
const NEVER_BUFFERED_BYTES = 64 * 1024 * 1024;

/** How Bun handles the connections. */
export const WIRE_SETTINGS = {
  maxPayloadLength: LIMITS.liveFrameBytes,
  backpressureLimit: NEVER_BUFFERED_BYTES,
  closeOnBackpressureLimit: true,
  // Bun's own pings pause while anything is being sent, even over a dead connection.
  sendPings: false,
  idleTimeout: IDLE_SECONDS,
  perMessageDeflate: false,
} as const;
/** How many bytes can wait before a replay pauses; well below the limit at which a connection is closed. */
const FULL_BYTES = 64 * 1024;
const FIRST_PACE = 4;
const MAX_PACE = 50;
/** How many characters of responses can be held back. Beyond that, the connection is terminated. */
const MAX_HELD_CHARACTERS = 512 * 1024;

export class LiveSocket {
  readonly subscriptions = new Map<string, Subscription>();
  caller: Caller;
  readonly requestId: string;
  readonly #wire: Wire;
  /** Frames held back, in order, because sending them now would exceed the limit. */
  #held: string[] = [];
  #heldCharacters = 0;
  isClosed = false;
  /** Whether the connection is being terminated because too much is waiting to be sent. */
  isTooSlow = false;
  /** When the client was last active, on the monotonic clock. */
  #receivedAt = 0;
  #pingedAt: number | null = null;
  /** Whether the user is looking at the page, as last reported by the client. */
  hasAttention = false;

  constructor(wire: Wire, { caller, requestId }: LiveConnection) {
    this.#wire = wire;
    this.caller = caller;
    this.requestId = requestId;
  }

  logFields(): { requestId: string; userId: string | undefined; address: string } {
    const { user, address } = this.caller;
    return { requestId: this.requestId, userId: user?.id, address };
  }

  /** Records that the open connection is using its session or token, even though no requests arrive. */
  recordUse(uses: CredentialUses): void {
    const { credential, user, address, expiresAt } = this.caller;
    if (credential.kind !== 'local' && user) uses.record({ ...credential, user, expiresAt }, address);
  }

  received(now: number): void {
    this.#receivedAt = now;
    this.#pingedAt = null;
  }

  /** Pings a connection that has been silent for a while, and terminates it if there is no response. */
  checkAlive(now: number): void {
    if (this.isClosed || now - this.#receivedAt < SILENCE.pingAfterMs) return;
    if (this.#pingedAt === null) {
      this.#pingedAt = now;
      this.#wire.ping();
    } else if (now - this.#pingedAt >= SILENCE.terminateAfterMs) {
      this.#wire.terminate();
    }
  }

  mayHaveExpired(now: number): boolean {
    const ends = [this.caller.expiresAt, factorDueAt(this.caller)];
    return ends.some((end) => end !== null && end <= now);
  }

  /** Whether the backlog is so large that the server should wait for the reader. */
  get isFull(): boolean {
    return this.#held.length > 0 || this.#wire.getBufferedAmount() > FULL_BYTES;
  }

  send(text: string): void {
    if (this.isClosed) return;
    if (!this.isFull) {
      this.#wire.send(text);
      return;
    }
    this.#held.push(text);
    this.#heldCharacters += text.length;
    if (this.#heldCharacters <= MAX_HELD_CHARACTERS) return;
    this.#terminateTooSlow();
  }

  /** Terminates the connection if too much is waiting to be sent. Call this before each event that it follows. */
  closeIfTooSlow(): void {
    if (this.#wire.getBufferedAmount() > BACKPRESSURE_BYTES) this.#terminateTooSlow();
  }

  #terminateTooSlow(): void {
    this.isTooSlow = true;
    this.#wire.terminate();
  }

  drained(): void {
    const texts = this.#held;
    this.#held = [];
    this.#heldCharacters = 0;
    for (const text of texts) this.send(text);
  }

  error(code: LiveErrorCode, message: string, hubId?: string): void {
    this.send(frame({ type: 'error', code, message, ...(hubId === undefined ? {} : { hubId }) }));
  }

  close(code: number, reason: string): void {
    if (!this.isClosed) this.#wire.close(code, reason);
  }

  goLive(subscription: Subscription): void {
    this.#wire.subscribe(subscription.feed.topic);
    subscription.feed.live.add(this);
    subscription.isLive = true;
  }

  /** Ends a subscription. Returns false if it has ended before, perhaps while it was being checked or replaced. */
  leave(subscription: Subscription): boolean {
    if (!subscription.feed.subscriptions.delete(subscription)) return false;
    if (subscription.isLive) this.#endLive(subscription);
    this.subscriptions.delete(subscription.feed.hubId);
    return true;
  }

  /**
   * Sends the next events that this subscription is missing. Returns:
   * - `more`: there are more events to replay.
   * - `full`: call it again when the connection has drained.
   * - `live`: further events reach it through the topic, without a gap, because all that follows the read is one
   *   synchronous step.
   * - `reset`: like `live`, but some of the missing events have been erased in the meantime.
   * - `gone`: the subscription or the connection has ended.
   */
  async replay(subscription: Subscription): Promise<'more' | 'full' | 'live' | 'reset' | 'gone'> {
    const { feed, epoch } = subscription;
    const isGone = () => this.isClosed || this.subscriptions.get(feed.hubId) !== subscription;
    if (isGone()) return 'gone';
    if (this.isFull) return 'full';
    const { published } = feed;
    const missed = await feed.replay(subscription.sent, subscription.pace);
    if (isGone()) return 'gone';
    const isErased = subscription.sent < published && missed[0]?.seq !== subscription.sent + 1;
    if (isErased) {
      this.send(frame({ type: 'reset', hubId: feed.hubId, seq: feed.published, epoch }));
      subscription.sent = feed.published;
    } else if (!this.#sendMissed(subscription, missed)) {
      return 'full';
    }
    if (subscription.sent < feed.published) return 'more';
    this.goLive(subscription);
    return isErased ? 'reset' : 'live';
  }

  /** Sends events. Returns false if the connection is then full, in which case some of them may not have been sent. */
  #sendMissed(subscription: Subscription, missed: readonly ReplayedFrame[]): boolean {
    let count = 0;
    // Combines the frames into few writes, which are most of the cost of a replay.
    this.#wire.cork(() => {
      for (const { seq, text } of missed) {
        if (this.#wire.getBufferedAmount() > FULL_BYTES) break;
        this.#wire.send(text);
        subscription.sent = seq;
        count += 1;
      }
    });
    if (!this.isFull) {
      subscription.pace = Math.min(MAX_PACE, 2 * subscription.pace);
      return true;
    }
    subscription.pace = Math.max(1, count);
    this.#holdLive();
    return false;
  }

  /** Stops publishing to a full connection. The events that it misses are replayed when there is room. */
  #holdLive(): void {
    for (const subscription of this.subscriptions.values()) {
      if (!subscription.isLive) continue;
      this.#endLive(subscription);
      subscription.sent = subscription.feed.published;
    }
  }

  #endLive(subscription: Subscription): void {
    if (!this.isClosed) this.#wire.unsubscribe(subscription.feed.topic);
    subscription.feed.live.delete(this);
    subscription.isLive = false;
  }
}

/** The code that Bun reports if no close frame was sent or received (RFC 6455, section 7.4.1). */
const ABNORMAL_CLOSE = 1006;

/** `abnormalCloses`: without a closing handshake; `backpressureCloses`: those of them by clients that read too slowly. */
export const zeroTotals = () => ({
  publishedEvents: 0,
  replays: 0,
  resets: 0,
  abnormalCloses: 0,
  backpressureCloses: 0,
  deniedCloses: 0,
});
type LiveTotals = ReturnType<typeof zeroTotals>;

/** The totals, and the connections and subscriptions that are open now. */
export interface LiveCounts extends LiveTotals {
  sockets: number;
  subscriptions: number;
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
