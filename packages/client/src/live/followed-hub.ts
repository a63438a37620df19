import { backoffMs } from './backoff.ts';
import { Delivery } from './delivery.ts';
import type { RuntimeEnvironment } from './environment.ts';
import type { EventFrame } from './frames.ts';
import type { FollowEnd, Following, FollowOptions, Position } from './options.ts';
import type { ClientFrame, ErrorFrame, ResponseFrame } from './protocol.ts';

interface FollowedHubDeps {
  environment: RuntimeEnvironment;
  /** Sends a frame to the server, if there is a connection. */
  send: (frame: ClientFrame) => void;
  isConnected: () => boolean;
  onError: (error: unknown) => void;
  /** Called when the Hub is no longer followed. */
  onLeft: (hub: FollowedHub) => void;
}

/**
 * The subscription to one Hub. It requests the events after the last one that it received, and accepts events only if
 * their numbers are consecutive.
 */
export class FollowedHub implements Following {
  readonly hubId: string;
  readonly #deps: FollowedHubDeps;
  readonly #delivery: Delivery;
  /** The last event that was received or skipped, and its epoch. */
  #received: number | undefined;
  #epoch: string | undefined;
  /** Whether the server has responded to the latest `subscribe`, so that incoming events belong to it. */
  #isConfirmed = false;
  #isNewConnection = false;
  /** Whether the queue is full and the Hub is unsubscribed, so that the remaining events stay on the server. */
  #isPaused = false;
  /** The newest event that was missing at the time of the subscription. */
  #missingUpTo: number | undefined;
  /** The number of gaps since the last consecutive event. */
  #gaps = 0;
  #failures = 0;
  #cancelRetry: () => void = () => {};
  #hasLeft = false;

  constructor(hubId: string, options: FollowOptions, deps: FollowedHubDeps) {
    this.hubId = hubId;
    this.#deps = deps;
    this.#received = options.after;
    this.#epoch = options.epoch;
    this.#delivery = new Delivery(options, { ...deps, onDrain: () => this.#resume() });
    if (options.after !== undefined && options.epoch !== undefined) {
      this.#delivery.startAt({ seq: options.after, epoch: options.epoch });
    }
  }

  get position(): Position | undefined {
    return this.#delivery.position;
  }

  /** Whether an additional `subscribe` can be sent now to check that the server responds. */
  get canProbe(): boolean {
    return this.#isConfirmed && !this.#isPaused;
  }

  setPosition(seq: number, epoch: string): void {
    if (!Number.isSafeInteger(seq) || seq < 0 || typeof epoch !== 'string') {
      throw new TypeError('setPosition requires the seq and the epoch of a list.');
    }
    if (this.#hasLeft) return;
    if (this.#delivery.skipTo({ seq, epoch })) this.#skipTo(seq, epoch);
    else this.#startAt(seq, epoch);
  }

  #startAt(seq: number, epoch: string): void {
    this.#delivery.startAt({ seq, epoch });
    this.#received = seq;
    this.#epoch = epoch;
    this.#missingUpTo = undefined;
    this.#isPaused = false;
    this.#isNewConnection = true;
    this.#subscribe();
  }

  stop(): void {
    this.#delivery.stop();
    if (this.#hasLeft) return;
    this.#leave();
    this.#deps.send({ type: 'unsubscribe', hubId: this.hubId });
  }

  connected(): void {
    this.#isNewConnection = true;
    if (!this.#isPaused) this.#subscribe();
  }

  disconnected(): void {
    this.#isConfirmed = false;
    this.#cancelRetry();
  }

  /**
   * Sends the `subscribe` again, although no event is known to be missing: the response shows that the server is alive.
   */
  probe(): void {
    this.#deps.send(this.#subscribeFrame());
  }

  end(end: FollowEnd): void {
    if (this.#hasLeft) return;
    this.#leave();
    this.#delivery.push({ kind: 'end', end });
  }

  handleResponse({ type, seq, epoch }: ResponseFrame): void {
    if (this.#isPaused) return;
    this.#failures = 0;
    const isReset = type === 'reset' || this.#gaps > 1 || (this.#epoch !== undefined && this.#epoch !== epoch);
    if (isReset) this.#gaps = 0;
    const isStart = this.#received === undefined || this.#epoch === undefined;
    this.#epoch = epoch;
    if (isReset || this.#received === undefined) this.#received = seq;
    if (isReset) this.#delivery.push({ kind: 'reset', position: { seq, epoch } });
    else if (isStart) this.#delivery.startAt({ seq: this.#received, epoch });
    if (isReset || this.#isNewConnection) this.#missingUpTo = seq;
    this.#isNewConnection = false;
    this.#isConfirmed = true;
    this.#reportCaughtUp();
  }

  handleEvent(event: EventFrame, characters: number): void {
    if (!this.#isConfirmed || this.#isPaused || this.#received === undefined) return;
    if (event.seq <= this.#received) return;
    if (event.seq > this.#received + 1) {
      this.#gaps += 1;
      this.#subscribe();
      return;
    }
    this.#received = event.seq;
    this.#gaps = 0;
    this.#delivery.push({ kind: 'event', event, characters });
    this.#reportCaughtUp();
    if (this.#delivery.isFull && !this.#hasLeft) this.#pause();
  }

  handleError({ code, message }: ErrorFrame): void {
    if (code === 'unavailable') this.#retryLater();
    else this.end({ code, message });
  }

  #retryLater(): void {
    this.#isConfirmed = false;
    const { clock, random } = this.#deps.environment;
    this.#cancelRetry();
    this.#failures += 1;
    this.#cancelRetry = clock.setTimer(backoffMs(this.#failures, random), () => this.#subscribe());
  }

  #subscribe(): void {
    this.#cancelRetry();
    this.#isConfirmed = false;
    if (this.#deps.isConnected()) this.#deps.send(this.#subscribeFrame());
  }

  #subscribeFrame(): ClientFrame {
    const frame = { type: 'subscribe', hubId: this.hubId } as const;
    // A gap that persists cannot be filled: subscribe to new events only, which is handled as a reset.
    if (this.#received === undefined || this.#gaps > 1) return frame;
    return { ...frame, after: this.#received, ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }) };
  }

  /** Treats the events up to this position as received. */
  #skipTo(seq: number, epoch: string): void {
    if (epoch !== this.#epoch || this.#received === undefined || seq <= this.#received) return;
    this.#received = seq;
    this.#reportCaughtUp();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#isConfirmed = false;
    this.#deps.send({ type: 'unsubscribe', hubId: this.hubId });
  }

  #resume(): void {
    if (!this.#isPaused || this.#hasLeft) return;
    this.#isPaused = false;
    this.#subscribe();
  }

  #reportCaughtUp(): void {
    if (this.#missingUpTo === undefined || this.#received === undefined || this.#epoch === undefined) return;
    if (this.#received < this.#missingUpTo) return;
    this.#missingUpTo = undefined;
    this.#delivery.push({ kind: 'caughtUp', position: { seq: this.#received, epoch: this.#epoch } });
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#isConfirmed = false;
    this.#cancelRetry();
    this.#deps.onLeft(this);
  }
}
