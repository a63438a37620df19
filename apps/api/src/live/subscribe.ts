import type { SubscribeFrame } from '@hub/contract';
import { isId } from '@hub/contract/ids';
import type { Deps } from '../access/deps.ts';
import { AppError, notFound } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import { readableHub } from '../workspace/hubs/hub-rights.ts';
import type { HubFeed } from './hub-feed.ts';
import { frame } from './live-frames.ts';
import { type LiveSocket, newSubscription, type Subscription } from './live-socket.ts';

interface SubscribeContext {
  rightsVersion: () => number;
  /** Publishes the events of a Hub up to `seq`, if it has a feed that has not published them yet. */
  catchUp: (hubId: string, seq: number) => Promise<void>;
  /** Returns the feed of a Hub whose newest event is `seq`; `null` if it has not published this event yet. */
  feed: (hubId: string, seq: number) => HubFeed | null;
}

/**
 * Subscribes a connection to a Hub. Returns the subscription if events must be replayed first; after `rejected`, an
 * error was sent. All after reading the log is one synchronous step, so nothing is published in between.
 */
export async function subscribe(
  { store }: Pick<Deps, 'store'>,
  socket: LiveSocket,
  { hubId, after, epoch: knownEpoch }: SubscribeFrame,
  { rightsVersion, catchUp, feed: feedOf }: SubscribeContext,
): Promise<Subscription | 'live' | 'reset' | 'rejected'> {
  let checkedVersion: number;
  let span: Awaited<ReturnType<typeof store.events.span>>;
  let epoch: string;
  let feed: HubFeed | null;
  do {
    checkedVersion = rightsVersion();
    try {
      if (!isId(hubId)) throw notFound('Hub', hubId);
      const reads = [
        store.events.span(hubId),
        store.workspace.find(),
        readableHub(store, socket.caller, hubId),
      ] as const;
      [span, { epoch }] = await Promise.all(reads);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'forbidden')) throw error;
      socket.error(error.code, error.message, hubId);
      return 'rejected';
    }
    if (!span) throw new Error(`The Hub ${hubId} disappeared while subscribing to it`);
    await catchUp(hubId, span.seq);
    if (socket.isClosed) return 'rejected';
    // With an older version, a user could get access with rights that they lost during the look-up.
    feed = checkedVersion === rightsVersion() ? feedOf(hubId, span.seq) : null;
  } while (!feed);

  const seq = feed.published;
  const isKnown = after !== undefined && (knownEpoch === undefined || knownEpoch === epoch);
  const canReplay = isKnown && after <= seq && after >= span.oldest - 1;
  const subscription = newSubscription(feed, epoch, canReplay ? after : seq);
  feed.subscriptions.add(subscription);
  socket.subscriptions.set(hubId, subscription);
  const isReset = after !== undefined && !canReplay;
  socket.send(frame({ type: isReset ? 'reset' : 'subscribed', hubId, seq, epoch }));
  if (subscription.sent < seq || socket.isFull) return subscription;
  socket.goLive(subscription);
  return isReset ? 'reset' : 'live';
}

/** How long the queue runs before it yields to requests and other connections. */
const TURN_MS = 4;
/** How many pages are read at a time from a database that responds later. */
const PAGES_AT_ONCE = 4;

interface ReplayHandlers {
  onFailure: (socket: LiveSocket, error: unknown) => void;
  onReset: () => void;
  onIdle: () => void;
}

/** The replays of all connections, one page each in turn, so that a thousand reconnects do not stall the server. */
export class ReplayQueue {
  /** The subscriptions still to be replayed, in the order of their turns. */
  readonly #waiting = new Map<Subscription, LiveSocket>();
  readonly #current = new Map<Subscription, Promise<void>>();
  #isScheduled = false;

  constructor(
    private readonly clock: Clock,
    private readonly handlers: ReplayHandlers,
  ) {}

  add(socket: LiveSocket, subscription: Subscription): void {
    this.#waiting.set(subscription, socket);
    this.#schedule();
  }

  /** Resumes the replays that paused because their connection was full. */
  resume(socket: LiveSocket): void {
    for (const subscription of socket.subscriptions.values()) {
      const isQueued = this.#waiting.has(subscription) || this.#current.has(subscription);
      if (!subscription.isLive && !isQueued) this.add(socket, subscription);
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(async () => {
      await this.#turn();
      this.#isScheduled = false;
      if (this.#waiting.size === 0) this.handlers.onIdle();
      this.#schedule();
    });
  }

  async #turn(): Promise<void> {
    const end = this.clock.monotonic() + TURN_MS;
    // Handles only the subscriptions that were waiting at the start of the turn, so that the turn ends even if a test's
    // clock stands still.
    for (const [subscription, socket] of [...this.#waiting]) {
      if (this.clock.monotonic() >= end) break;
      this.#waiting.delete(subscription);
      this.#current.set(subscription, this.#replay(socket, subscription));
      if (this.#current.size === PAGES_AT_ONCE) await Promise.race(this.#current.values());
    }
    await Promise.all(this.#current.values());
  }

  async #replay(socket: LiveSocket, subscription: Subscription): Promise<void> {
    try {
      const outcome = await socket.replay(subscription);
      if (outcome === 'more') this.#waiting.set(subscription, socket);
      else if (outcome === 'reset') this.handlers.onReset();
    } catch (error) {
      this.handlers.onFailure(socket, error);
    } finally {
      this.#current.delete(subscription);
    }
  }
}
