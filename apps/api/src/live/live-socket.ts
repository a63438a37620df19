import type { LiveErrorCode } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame } from './live-frames.ts';
import type { ReplayedFrame } from './replayed-frames.ts';

/** What a connection is opened with. */
export interface LiveConnection {
  caller: Caller;
  requestId: string;
  /** Of the session or token; `null`: it does not end by itself. */
  expiresAt: number | null;
  /** Set as soon as the WebSocket is open. */
  socket?: LiveSocket;
}

/** The part of Bun's WebSocket that is used here. */
export type Wire = Pick<
  Bun.ServerWebSocket<LiveConnection>,
  'send' | 'cork' | 'ping' | 'close' | 'terminate' | 'subscribe' | 'unsubscribe' | 'getBufferedAmount'
>;

/** One Hub that one connection follows: first what is missing, from `sent` on, then live by the Hub's topic. */
export interface Subscription {
  readonly feed: HubFeed;
  readonly epoch: string;
  /** The last event that was sent to this connection by replaying. */
  sent: number;
  isLive: boolean;
  /** Events to replay at a stretch: few, until it shows that they are small. */
  pace: number;
}

export function newSubscription(feed: HubFeed, epoch: string, sent: number): Subscription {
  return { feed, epoch, sent, isLive: false, pace: FIRST_PACE };
}

/** What may wait for a connection that reads slowly. Beyond it the connection is closed; it comes back and resumes by number. */
export const BACKPRESSURE_BYTES = 256 * 1024;
/** Bytes that may wait to be sent before replaying pauses; well below the limit at which a connection is closed. */
const FULL_BYTES = 64 * 1024;
const FIRST_PACE = 4;
const MAX_PACE = 50;
/** Characters of answers that may wait for room: who asks and does not read is cut. */
const HELD_CHARACTERS = 512 * 1024;

/** One live connection. */
export class LiveSocket {
  readonly subscriptions = new Map<string, Subscription>();
  caller: Caller;
  readonly requestId: string;
  readonly #wire: Wire;
  /** Frames that came and are not worked off. */
  pendingFrames = 0;
  /** What waits for room, in its order: sending it now would be over the limit. */
  #held: string[] = [];
  #heldCharacters = 0;
  isClosed = false;
  /** Whether it is being cut because more waits for it than may. */
  isTooSlow = false;
  /** On the monotonic clock. */
  #receivedAt = 0;
  #askedAt: number | null = null;
  /** Whether somebody looks at it, as far as it has said so. */
  hasAttention = false;
  /** When its session or token ends, as far as is known here. */
  expiresAt: number | null;

  constructor(wire: Wire, { caller, requestId, expiresAt }: LiveConnection) {
    this.#wire = wire;
    this.caller = caller;
    this.requestId = requestId;
    this.expiresAt = expiresAt;
  }

  /** Something came, or was taken. */
  received(now: number): void {
    this.#receivedAt = now;
    this.#askedAt = null;
  }

  /** Asks for a sign of life when it has been quiet for long, and cuts the connection when none comes. */
  ask(now: number, { askAfterMs, cutAfterMs }: { askAfterMs: number; cutAfterMs: number }): void {
    if (this.isClosed || now - this.#receivedAt < askAfterMs) return;
    if (this.#askedAt === null) {
      this.#askedAt = now;
      this.#wire.ping();
    } else if (now - this.#askedAt >= cutAfterMs) {
      this.#wire.terminate();
    }
  }

  mayHaveExpired(now: number): boolean {
    return this.expiresAt !== null && this.expiresAt <= now;
  }

  /** Whether so much waits to be sent that it is better to wait for the reader. */
  get isFull(): boolean {
    return this.#held.length > 0 || this.#wire.getBufferedAmount() > FULL_BYTES;
  }

  send(text: string): void {
    if (this.isClosed) return;
    if (!this.isFull) {
      if (this.#wire.send(text) === 0) this.noteIfTooSlow();
      return;
    }
    this.#held.push(text);
    this.#heldCharacters += text.length;
    if (this.#heldCharacters <= HELD_CHARACTERS) return;
    this.isTooSlow = true;
    this.#wire.terminate();
  }

  /** To be called when something was not sent: that it was cut, and why, is not told by Bun when it ends. */
  noteIfTooSlow(): void {
    if (!this.isClosed && this.#wire.getBufferedAmount() > BACKPRESSURE_BYTES) this.isTooSlow = true;
  }

  /** The reader has taken something. */
  drained(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldCharacters = 0;
    for (const text of held) this.send(text);
  }

  error(code: LiveErrorCode, message: string, hubId?: string): void {
    this.send(frame({ type: 'error', code, message, ...(hubId === undefined ? {} : { hubId }) }));
  }

  close(code: number, reason: string): void {
    if (!this.isClosed) this.#wire.close(code, reason);
  }

  goLive(subscription: Subscription): void {
    this.#wire.subscribe(subscription.feed.topic);
    subscription.isLive = true;
  }

  leave(subscription: Subscription): void {
    if (subscription.isLive && !this.isClosed) this.#wire.unsubscribe(subscription.feed.topic);
    this.subscriptions.delete(subscription.feed.hubId);
  }

  /**
   * Sends the next events that this subscription misses. `more`: come again. `full`: come again when the connection has
   * taken what waits. `live`: from here on the topic serves it, without a gap, because all of this is one step. `reset`: the same,
   * but what it missed was erased meanwhile. `gone`: nobody wants it any more.
   */
  replay(subscription: Subscription): 'more' | 'full' | 'live' | 'reset' | 'gone' {
    const { feed, epoch } = subscription;
    if (this.isClosed || this.subscriptions.get(feed.hubId) !== subscription) return 'gone';
    if (this.isFull) return 'full';
    // Whatever is committed by now goes out to those who are live already, so that there is one end to reach.
    feed.catchUp();
    const missed = feed.replay(subscription.sent, subscription.pace);
    const isErased = subscription.sent < feed.published && missed[0]?.seq !== subscription.sent + 1;
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

  /** False if the connection is full then, perhaps before all of them were sent. */
  #sendMissed(subscription: Subscription, missed: readonly ReplayedFrame[]): boolean {
    let count = 0;
    // As few writes to the connection as can be: most of what a replay costs is those.
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

  /** The next event of another Hub would be over the limit, by no fault of the reader: those are replayed, too, when there is room. */
  #holdLive(): void {
    for (const subscription of this.subscriptions.values()) {
      if (!subscription.isLive) continue;
      this.#wire.unsubscribe(subscription.feed.topic);
      subscription.isLive = false;
      subscription.sent = subscription.feed.published;
    }
  }
}
