import type { Clock, Log } from '../core/ports.ts';
import type { Store } from '../storage/store.ts';
import { prune } from './prune.ts';

/** Delay before the first run, so that it does not slow down the start of the server. */
const FIRST_AFTER_MS = 15_000;
const EVERY_MS = 60 * 60 * 1000;
/** Delay after a failure, such as a full disk. */
const RETRY_AFTER_MS = 5 * 60 * 1000;
const REST_MS = 20;

export interface Pruning {
  /** Resolves when the current run has ended; no other will begin. */
  stop(): Promise<void>;
}

/** Prunes soon after the start and every hour, one run at a time. Failures are logged and retried sooner. */
export function pruneRegularly(deps: { store: Pick<Store, 'transaction'>; clock: Clock; log: Log }): Pruning {
  const { clock, log } = deps;
  let isStopped = false;
  let running: Promise<boolean> = Promise.resolve(true);

  const run = async (): Promise<boolean> => {
    try {
      const rows = await prune(deps, { restMs: REST_MS, isStopped: () => isStopped });
      if (rows > 0) log.info({ rows }, 'Deleted expired data');
      return true;
    } catch (err) {
      log.warn({ err }, 'Failed to delete expired data; retrying');
      return false;
    }
  };
  const watch = async (): Promise<void> => {
    let restMs = FIRST_AFTER_MS;
    for (;;) {
      await clock.sleep(restMs);
      if (isStopped) return;
      running = run();
      restMs = (await running) ? EVERY_MS : RETRY_AFTER_MS;
    }
  };
  void watch();

  return {
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
