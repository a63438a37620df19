import type { Clock } from '../ports.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/** So long at a stretch; then requests and other connections have their turn. */
const TURN_MS = 4;

interface Replay {
  socket: LiveSocket;
  subscription: Subscription;
}

/** Replays of all connections, a page of each in turn, so that a thousand that come back at once do not stop the server. */
export class ReplayQueue {
  readonly #waiting: Replay[] = [];
  readonly #clock: Clock;
  readonly #onFailure: (socket: LiveSocket, error: unknown) => void;
  #isScheduled = false;
  /** Called when nobody waits any more. */
  onIdle: () => void = () => {};

  constructor(clock: Clock, onFailure: (socket: LiveSocket, error: unknown) => void) {
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  add(socket: LiveSocket, subscription: Subscription): void {
    this.#waiting.push({ socket, subscription });
    this.#schedule();
  }

  /** Goes on with what was held up because the connection had not taken what was sent. */
  resume(socket: LiveSocket): void {
    for (const subscription of socket.subscriptions.values()) {
      if (!subscription.isLive && !this.#isQueued(subscription)) this.add(socket, subscription);
    }
  }

  #isQueued(subscription: Subscription): boolean {
    return this.#waiting.some((replay) => replay.subscription === subscription);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
      if (this.#waiting.length === 0) this.onIdle();
      this.#schedule();
    });
  }

  #turn(): void {
    const end = this.#clock.monotonic() + TURN_MS;
    // The test clock stands still, so a round ends with those who waited at its begin.
    for (let left = this.#waiting.length; left > 0 && this.#clock.monotonic() < end; left -= 1) {
      const replay = this.#waiting.shift();
      if (replay) this.#replay(replay);
    }
  }

  #replay(replay: Replay): void {
    try {
      if (replay.socket.replay(replay.subscription) === 'more') this.#waiting.push(replay);
    } catch (error) {
      this.#onFailure(replay.socket, error);
    }
  }
}
