import type { HubServer } from '@hub/testkit';

const SAMPLE_MS = 100;

/** The memory of the server's process. */
export class Memory {
  readonly #run: HubServer;
  #peak = 0;
  readonly #timer: Timer;

  constructor(run: HubServer) {
    this.#run = run;
    this.#timer = setInterval(() => {
      if (!run.isRestarting) this.#peak = Math.max(this.#peak, run.residentMiB);
    }, SAMPLE_MS);
  }

  now(): number {
    return this.#run.residentMiB;
  }

  /** Returns the peak since the last call, in MiB. */
  takePeak(): number {
    const peak = Math.max(this.#peak, this.#run.residentMiB);
    this.#peak = 0;
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
