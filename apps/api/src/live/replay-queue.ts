import type { Clock } from '../core/ports.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/** How long the queue runs before it yields to requests and other connections. */
const TURN_MS = 4;

interface ReplayHandlers {
  onFailure: (socket: LiveSocket, error: unknown) => void;
  /** Called when events were erased while they were being replayed. */
  onReset: () => void;
  /** Called when the queue is empty. */
  onIdle: () => void;
}

/** The replays of all connections, one page each in turn, so that a thousand reconnects do not stall the server. */
export class ReplayQueue {
  /** The subscriptions still to be replayed, in the order of their turns. */
  readonly #waiting = new Map<Subscription, LiveSocket>();
  readonly #clock: Clock;
  readonly #handlers: ReplayHandlers;
  #isScheduled = false;

  constructor(clock: Clock, handlers: ReplayHandlers) {
    this.#clock = clock;
    this.#handlers = handlers;
  }

  add(socket: LiveSocket, subscription: Subscription): void {
    this.#waiting.set(subscription, socket);
    this.#schedule();
  }

  /** Resumes the replays that paused because their connection was full. */
  resume(socket: LiveSocket): void {
    for (const subscription of socket.subscriptions.values()) {
      if (!subscription.isLive && !this.#waiting.has(subscription)) this.add(socket, subscription);
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
      if (this.#waiting.size === 0) this.#handlers.onIdle();
      this.#schedule();
    });
  }

  #turn(): void {
    const end = this.#clock.monotonic() + TURN_MS;
    // Handles only the subscriptions that were waiting at the start of the turn, so that the turn ends even if a test's
    // clock stands still.
    for (const [subscription, socket] of [...this.#waiting]) {
      if (this.#clock.monotonic() >= end) return;
      this.#waiting.delete(subscription);
      this.#replay(socket, subscription);
    }
  }

  #replay(socket: LiveSocket, subscription: Subscription): void {
    try {
      const outcome = socket.replay(subscription);
      if (outcome === 'more') this.#waiting.set(subscription, socket);
      else if (outcome === 'reset') this.#handlers.onReset();
    } catch (error) {
      this.#handlers.onFailure(socket, error);
    }
  }
}
