import type { Clock, Log } from '../ports.ts';
import type { Store } from '../store/store.ts';
import { prune } from './prune.ts';

/** So that the start of the server is not slowed by it. */
const FIRST_AFTER_MS = 15_000;
const EVERY_MS = 60 * 60 * 1000;
/** After a failure, such as a full disk. */
const AGAIN_AFTER_MS = 5 * 60 * 1000;
const REST_MS = 20;

export interface Pruning {
  /** Resolves when no run is under way, and none will be. */
  stop(): Promise<void>;
}

/** Prunes soon after the start and every hour, one run after the other. A failure is logged, and tried again sooner. */
export function pruneRegularly(deps: { store: Pick<Store, 'items' | 'users'>; clock: Clock; log: Log }): Pruning {
  const { clock, log } = deps;
  let isStopped = false;
  let running: Promise<boolean> = Promise.resolve(true);

  const run = async (): Promise<boolean> => {
    try {
      const rows = await prune(deps, { restMs: REST_MS, isStopped: () => isStopped });
      if (rows > 0) log.info({ rows }, 'Erased what was past its time');
      return true;
    } catch (err) {
      log.warn({ err }, 'What is past its time could not be erased; trying again');
      return false;
    }
  };
  const watch = async (): Promise<void> => {
    let restMs = FIRST_AFTER_MS;
    for (;;) {
      await clock.sleep(restMs);
      if (isStopped) return;
      running = run();
      restMs = (await running) ? EVERY_MS : AGAIN_AFTER_MS;
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
