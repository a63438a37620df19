import { backoffMs } from './backoff.ts';
import { Delivery } from './delivery.ts';
import type { RuntimeEnvironment } from './environment.ts';
import type { EventFrame } from './frames.ts';
import type { FollowEnd, Following, FollowOptions, Position } from './options.ts';
import type { ClientFrame, ErrorFrame, ResponseFrame } from './protocol.ts';

interface FollowedHubDeps {
  environment: RuntimeEnvironment;
  /** Sends to the server, if there is a connection. */
  send: (frame: ClientFrame) => void;
  isConnected: () => boolean;
  onError: (error: unknown) => void;
  /** It is followed no more. */
  onLeft: (hub: FollowedHub) => void;
}

/**
 * One Hub that is followed, on the side of the server: it asks for what comes after the last event that it has received, and
 * takes what comes only if the numbers leave no doubt.
 */
export class FollowedHub implements Following {
  readonly hubId: string;
  readonly #deps: FollowedHubDeps;
  readonly #delivery: Delivery;
  /** The last event that was received or need not be, and its run of numbers. */
  #received: number | undefined;
  #epoch: string | undefined;
  /** Whether the server has answered what was last asked, so that what comes is what was asked for. */
  #isConfirmed = false;
  #isNewConnection = false;
  /** The queue is full, and the server was told to keep the rest. */
  #isPaused = false;
  /** Up to here events were missing when it was subscribed to. */
  #missingUpTo: number | undefined;
  /** Gaps in the numbers since the last event that fitted. */
  #gaps = 0;
  #failures = 0;
  #cancelRetry: () => void = () => {};
  #hasLeft = false;

  constructor(hubId: string, options: FollowOptions, deps: FollowedHubDeps) {
    this.hubId = hubId;
    this.#deps = deps;
    this.#received = options.after;
    this.#epoch = options.epoch;
    this.#delivery = new Delivery(options, { ...deps, onRoom: () => this.#goOn() });
    if (options.after !== undefined && options.epoch !== undefined) {
      this.#delivery.startAt({ seq: options.after, epoch: options.epoch });
    }
  }

  get position(): Position | undefined {
    return this.#delivery.position;
  }

  /** Whether the server would answer a question at this moment that it need not have been asked. */
  get canBeAsked(): boolean {
    return this.#isConfirmed && !this.#isPaused;
  }

  setPosition(seq: number, epoch: string): void {
    if (!Number.isSafeInteger(seq) || seq < 0 || typeof epoch !== 'string') {
      throw new TypeError('setPosition takes the seq and the epoch of a list.');
    }
    if (this.#hasLeft) return;
    if (this.#delivery.skipTo({ seq, epoch })) this.#passOver(seq, epoch);
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

  /** Asks anew, although nothing is missing as far as is known: the answer shows that the server is there. */
  ask(): void {
    this.#deps.send(this.#question());
  }

  end(end: FollowEnd): void {
    if (this.#hasLeft) return;
    this.#leave();
    this.#delivery.push({ kind: 'end', end });
  }

  responded({ type, seq, epoch }: ResponseFrame): void {
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
    this.#tellCaughtUp();
  }

  happened(event: EventFrame, characters: number): void {
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
    this.#tellCaughtUp();
    if (this.#delivery.isFull && !this.#hasLeft) this.#pause();
  }

  refused({ code, message }: ErrorFrame): void {
    if (code === 'unavailable') this.#askLater();
    else this.end({ code, message });
  }

  #askLater(): void {
    this.#isConfirmed = false;
    const { clock, random } = this.#deps.environment;
    this.#cancelRetry();
    this.#failures += 1;
    this.#cancelRetry = clock.setTimer(backoffMs(this.#failures, random), () => this.#subscribe());
  }

  #subscribe(): void {
    this.#cancelRetry();
    this.#isConfirmed = false;
    if (this.#deps.isConnected()) this.#deps.send(this.#question());
  }

  #question(): ClientFrame {
    const frame = { type: 'subscribe', hubId: this.hubId } as const;
    // A gap that stays is not to be filled: then from now, which is told as a reset.
    if (this.#received === undefined || this.#gaps > 1) return frame;
    return { ...frame, after: this.#received, ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }) };
  }

  /** What is passed over need not come. */
  #passOver(seq: number, epoch: string): void {
    if (epoch !== this.#epoch || this.#received === undefined || seq <= this.#received) return;
    this.#received = seq;
    this.#tellCaughtUp();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#isConfirmed = false;
    this.#deps.send({ type: 'unsubscribe', hubId: this.hubId });
  }

  #goOn(): void {
    if (!this.#isPaused || this.#hasLeft) return;
    this.#isPaused = false;
    this.#subscribe();
  }

  #tellCaughtUp(): void {
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
