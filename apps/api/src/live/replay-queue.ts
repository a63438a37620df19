import type { Clock } from '../ports.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/** So long at a stretch; then requests and other connections have their turn. */
const TURN_MS = 4;

interface ReplayHandlers {
  onFailure: (socket: LiveSocket, error: unknown) => void;
  /** What was being replayed was erased meanwhile. */
  onReset: () => void;
  /** Nobody waits any more. */
  onIdle: () => void;
}

/** Replays of all connections, a page of each in turn, so that a thousand that come back at once do not stop the server. */
export class ReplayQueue {
  /** In the order in which their turns come. */
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

  /** Goes on with what was held up because the connection had not taken what was sent. */
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
    // The test clock stands still, so a round ends with those who waited at its begin.
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
