import type { LiveErrorCode } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame } from './live-frames.ts';

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
  /** The last event that was sent to this connection by replaying. */
  sent: number;
  isLive: boolean;
}

/** Bytes that may wait to be sent before replaying pauses; well below the limit at which a connection is closed. */
const REPLAY_BUFFER_BYTES = 64 * 1024;
const REPLAY_EVENTS = 50;

/** One live connection. */
export class LiveSocket {
  readonly subscriptions = new Map<string, Subscription>();
  caller: Caller;
  readonly requestId: string;
  readonly #wire: Wire;
  /** Frames of a client are handled one after the other. */
  #work: Promise<void> = Promise.resolve();
  pendingFrames = 0;
  isClosed = false;
  /** On the monotonic clock. */
  #heardAt = 0;
  #askedAt: number | null = null;
  /** When its session or token ends, as far as is known here. */
  expiresAt: number | null;

  constructor(wire: Wire, { caller, requestId, expiresAt }: LiveConnection) {
    this.#wire = wire;
    this.caller = caller;
    this.requestId = requestId;
    this.expiresAt = expiresAt;
  }

  /** Runs `task` after those before it. */
  inTurn(task: () => Promise<void>): void {
    this.pendingFrames += 1;
    this.#work = this.#work.then(task).finally(() => {
      this.pendingFrames -= 1;
    });
  }

  /** Something came, or was taken. */
  heard(now: number): void {
    this.#heardAt = now;
    this.#askedAt = null;
  }

  /** Asks for a sign of life when it has been quiet for long, and cuts the connection when none comes. */
  ask(now: number, { askAfterMs, cutAfterMs }: { askAfterMs: number; cutAfterMs: number }): void {
    if (this.isClosed || now - this.#heardAt < askAfterMs) return;
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

  send(text: string): void {
    if (!this.isClosed) this.#wire.send(text);
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
   * taken what waits. `done`: from here on the topic serves it, without a gap, because all of this is one step.
   */
  replay(subscription: Subscription): 'more' | 'full' | 'done' {
    const { feed } = subscription;
    if (this.isClosed || this.subscriptions.get(feed.hubId) !== subscription) return 'done';
    // Whatever is committed by now goes out to those who are live already, so that there is one end to reach.
    feed.catchUp();
    let isFull = false;
    // As few writes to the connection as can be: most of what a replay costs is those.
    this.#wire.cork(() => {
      for (const { seq, text } of feed.replay(subscription.sent, REPLAY_EVENTS)) {
        isFull = this.#wire.getBufferedAmount() > REPLAY_BUFFER_BYTES;
        if (isFull) break;
        this.#wire.send(text);
        subscription.sent = seq;
      }
    });
    if (isFull) return 'full';
    if (subscription.sent < feed.published) return 'more';
    this.goLive(subscription);
    return 'done';
  }
}
