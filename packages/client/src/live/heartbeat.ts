import type { Clock } from '../clock.ts';

/** After so long without a frame the server is asked for a sign of life; its own pings cannot be seen everywhere. */
export const QUIET_MS = 25_000;
/** Whoever asked waits so long for an answer, or for any other frame. */
export const RESPONSE_MS = 10_000;

/** Finds out that a connection is dead, which a pulled cable tells nobody. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #ask: () => void;
  readonly #onDead: () => void;
  #since = 0;
  #isExpecting = false;
  #cancel: () => void = () => {};

  /** `ask` sends something that is answered, and then calls `expect`. */
  constructor(clock: Clock, { ask, onDead }: { ask: () => void; onDead: () => void }) {
    this.#clock = clock;
    this.#ask = ask;
    this.#onDead = onDead;
  }

  start(): void {
    this.#isExpecting = false;
    this.received();
    this.#wait(QUIET_MS);
  }

  stop(): void {
    this.#cancel();
  }

  /** Something came. */
  received(): void {
    this.#since = this.#clock.now();
    this.#isExpecting = false;
  }

  /** Something was asked. */
  expect(): void {
    if (this.#isExpecting) return;
    this.#isExpecting = true;
    this.#since = this.#clock.now();
    this.#wait(RESPONSE_MS);
  }

  /** Asks now, and not only when it has been quiet for long. */
  check(): void {
    if (!this.#isExpecting) this.#ask();
  }

  #wait(delayMs: number): void {
    this.#cancel();
    this.#cancel = this.#clock.setTimer(delayMs, () => this.#look());
  }

  #look(): void {
    const limit = this.#isExpecting ? RESPONSE_MS : QUIET_MS;
    const left = this.#since + limit - this.#clock.now();
    if (left > 0) {
      this.#wait(left);
    } else if (this.#isExpecting) {
      this.#onDead();
    } else {
      this.#wait(QUIET_MS);
      this.#ask();
    }
  }
}
