import type { Clock } from '../clock.ts';

/** The time without a frame after which the server is probed. Not every runtime exposes the server's pings. */
export const QUIET_MS = 25_000;
/** The time to wait for a response to a probe, or for any other frame. */
export const RESPONSE_MS = 10_000;

/** Detects a dead connection, for example after a cable was unplugged. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #probe: () => void;
  readonly #onDead: () => void;
  #since = 0;
  #isExpecting = false;
  #cancel: () => void = () => {};

  /** `probe` sends a frame that the server responds to, and then calls `expectResponse`. */
  constructor(clock: Clock, { probe, onDead }: { probe: () => void; onDead: () => void }) {
    this.#clock = clock;
    this.#probe = probe;
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

  /** Called for every frame received. */
  received(): void {
    this.#since = this.#clock.now();
    this.#isExpecting = false;
  }

  /** Called after sending a frame that the server responds to. */
  expectResponse(): void {
    if (this.#isExpecting) return;
    this.#isExpecting = true;
    this.#since = this.#clock.now();
    this.#wait(RESPONSE_MS);
  }

  /** Probes the server now instead of after a period of silence. */
  check(): void {
    if (!this.#isExpecting) this.#probe();
  }

  #wait(delayMs: number): void {
    this.#cancel();
    this.#cancel = this.#clock.setTimer(delayMs, () => this.#checkTimeout());
  }

  #checkTimeout(): void {
    const limit = this.#isExpecting ? RESPONSE_MS : QUIET_MS;
    const remainingMs = this.#since + limit - this.#clock.now();
    if (remainingMs > 0) {
      this.#wait(remainingMs);
    } else if (this.#isExpecting) {
      this.#onDead();
    } else {
      this.#wait(QUIET_MS);
      this.#probe();
    }
  }
}
