/** The phase of the server. It is ready for requests only while `serving`. */
export type Phase = 'starting' | 'serving' | 'stopping';

export class Lifecycle {
  #phase: Phase = 'starting';

  get phase(): Phase {
    return this.#phase;
  }

  serve(): void {
    if (this.#phase === 'starting') this.#phase = 'serving';
  }

  /** Final: a stopping server never serves again. */
  stop(): void {
    this.#phase = 'stopping';
  }
}
