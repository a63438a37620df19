import type { Life } from './life.ts';

const SAMPLE_MS = 100;
const MIB = 2 ** 20;

/** What the server's process has of the machine's memory. */
export class Memory {
  readonly #life: Life;
  #peak = 0;
  readonly #timer: Timer;

  constructor(life: Life) {
    this.#life = life;
    this.#timer = setInterval(() => {
      if (!life.isRestarting) this.#peak = Math.max(this.#peak, life.residentBytes());
    }, SAMPLE_MS);
  }

  now(): number {
    return this.#life.residentBytes() / MIB;
  }

  /** The most, in MiB, since this was last asked. */
  takePeak(): number {
    const peak = Math.max(this.#peak, this.#life.residentBytes()) / MIB;
    this.#peak = 0;
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
