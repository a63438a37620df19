import type { Clock, Log } from './ports.ts';

/** For work that is done when it is due: how often it is looked for without a report, and how soon again. */
export const WHEN_DUE = { firstAfterMs: 1_000, everyMs: 15_000, retryMs: 1_000 } as const;

interface Repetition {
  /** The pause after each time, at most. */
  everyMs: number;
  /** The pause before the first time. By default, `everyMs`. */
  firstAfterMs?: number;
  /** The pause after a time that failed or that another node leads, and the shortest one. By default, `everyMs`. */
  retryMs?: number;
  /** Work that one of several nodes does is left out on the others. */
  isLeader?: (() => boolean) | undefined;
  /** Passes on when there will be something to do, in milliseconds since 1970. */
  onDue?: (listener: (at: number) => void) => void;
  /** The message of the log if the work fails. It is done again all the same. */
  failure: string;
}

/**
 * Does work again and again, never twice at the same time: when it is due, as it returns itself or `onDue` reports, and
 * regularly, in case a report was lost or the clock was changed. Returns what stops it, and resolves when it has ended.
 */
export function repeat(
  { clock, log }: { clock: Clock; log: Log },
  { everyMs, firstAfterMs = everyMs, retryMs = everyMs, isLeader = () => true, onDue, failure }: Repetition,
  work: (isStopped: () => boolean) => Promise<unknown>,
): () => Promise<void> {
  let isStopped = false;
  let working: Promise<unknown> = Promise.resolve();
  /** On the monotonic clock. */
  let next = clock.monotonic() + firstAfterMs;
  let moved = Promise.withResolvers<void>();
  const beginBy = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (at >= next) return;
    next = at;
    moved.resolve();
    moved = Promise.withResolvers();
  };
  const dueAt = (at: number): void => beginBy(Math.max(at - clock.now(), retryMs));
  onDue?.(dueAt);

  const workOnce = async (): Promise<void> => {
    try {
      const due = await work(() => isStopped);
      beginBy(everyMs);
      if (typeof due === 'number') dueAt(due);
    } catch (err) {
      log.warn({ err }, failure);
      beginBy(retryMs);
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const left = next - clock.monotonic();
      if (left > 0) {
        await Promise.race([clock.sleep(left), moved.promise]);
        continue;
      }
      next = Number.POSITIVE_INFINITY;
      if (!isLeader()) beginBy(retryMs);
      else {
        working = workOnce();
        await working;
      }
    }
  };
  void run();
  return async () => {
    isStopped = true;
    await working;
  };
}

/**
 * Returns a function that does work, but never twice at the same time: if it is called meanwhile, the work is done once
 * more afterwards, since it may have missed what the call is about. Resolves when that is done.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    current = work().finally(() => {
      current = null;
    });
    return current;
  };
  return () => {
    if (!current && !next) return begin();
    next ??= Promise.resolve(current)
      .catch(() => {})
      .then(begin);
    return next;
  };
}
