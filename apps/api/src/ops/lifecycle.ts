/** The phase of the server. It is ready for requests only while `serving`. */
type Phase = 'starting' | 'serving' | 'stopping';

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

/** Resolves on the first SIGTERM or SIGINT; a second one, from an impatient user, calls `onSecond`. */
export function stopSignal(onSecond: () => void | Promise<void>): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const handle = (signal: NodeJS.Signals): void => {
      if (isStopping) {
        void onSecond();
        return;
      }
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', handle);
    process.on('SIGINT', handle);
  });
}
