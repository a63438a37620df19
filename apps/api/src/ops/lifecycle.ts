/** How far the server is. It is ready for requests only while it is `serving`. */
export type Phase = 'starting' | 'serving' | 'stopping';

export class Lifecycle {
  #phase: Phase = 'starting';

  get phase(): Phase {
    return this.#phase;
  }

  serve(): void {
    if (this.#phase === 'starting') this.#phase = 'serving';
  }

  /** There is no way back from here. */
  stop(): void {
    this.#phase = 'stopping';
  }
}
