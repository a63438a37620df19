import type { Clock } from '../platform/ports.ts';

/** The phase of the server. It is ready for requests only while `serving`. */
type Phase = 'starting' | 'serving' | 'stopping';

export class Lifecycle {
  #phase: Phase = 'starting';
  /** Whether the last commit failed, for example on a full disk. Reads may work all the same. */
  isCommitFailing = false;

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

/** Ctrl-C goes to the whole process group, and npx and `bun run` pass it on once more, within milliseconds. */
const SAME_SIGNAL_MS = 500;

/** Resolves on the first SIGTERM or SIGINT; a second one, from an impatient user, calls `onSecond`. */
export function stopSignal(
  { monotonic }: Pick<Clock, 'monotonic'>,
  onSecond: () => void | Promise<void>,
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppedAt: number | undefined;
    const handle = (signal: NodeJS.Signals): void => {
      if (stoppedAt === undefined) {
        stoppedAt = monotonic();
        resolve(signal);
      } else if (monotonic() - stoppedAt >= SAME_SIGNAL_MS) void onSecond();
    };
    process.on('SIGTERM', handle);
    process.on('SIGINT', handle);
  });
}
