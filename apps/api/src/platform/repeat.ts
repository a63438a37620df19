import type { Clock, Log } from './ports.ts';

interface Repetition {
  everyMs: number;
  /** Work that one of several nodes does is left out on the others. */
  isLeader?: (() => boolean) | undefined;
  /** The message of the log if the work fails. It is done again all the same. */
  failure: string;
}

/** Does work again and again, each time this long after the end of the time before. Returns what stops it. */
export function repeat(
  { clock, log }: { clock: Clock; log: Log },
  { everyMs, isLeader = () => true, failure }: Repetition,
  work: () => Promise<unknown>,
): () => void {
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await clock.sleep(everyMs);
      if (!isStopped && isLeader()) await work().catch((err: unknown) => log.warn({ err }, failure));
    }
  };
  void run();
  return () => {
    isStopped = true;
  };
}
