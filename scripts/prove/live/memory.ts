import type { ServerRun } from './life.ts';

const SAMPLE_MS = 100;
const MIB = 2 ** 20;

/** The memory of the server's process. */
export class Memory {
  readonly #run: ServerRun;
  #peak = 0;
  readonly #timer: Timer;

  constructor(run: ServerRun) {
    this.#run = run;
    this.#timer = setInterval(() => {
      if (!run.isRestarting) this.#peak = Math.max(this.#peak, run.residentBytes());
    }, SAMPLE_MS);
  }

  now(): number {
    return this.#run.residentBytes() / MIB;
  }

  /** Returns the peak since the last call, in MiB. */
  takePeak(): number {
    const peak = Math.max(this.#peak, this.#run.residentBytes()) / MIB;
    this.#peak = 0;
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
