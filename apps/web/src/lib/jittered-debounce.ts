/**
 * Runs a function a moment after it was asked for, once for all calls until then. All clients are notified of a change
 * at the same moment, so each waits for another time: between `soonMs` and three times that.
 */
export class JitteredDebounce {
  readonly #run: () => void;
  readonly #soonMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(soonMs: number, run: () => void) {
    this.#soonMs = soonMs;
    this.#run = run;
  }

  schedule(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#run();
      },
      this.#soonMs * (1 + 2 * Math.random()),
    );
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
