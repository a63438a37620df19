import { RATE_LIMIT } from '@hub/contract';
import type { Deps } from '../deps.ts';

/**
 * Takes up, at start, the blocks that a former process wrote down. If the clock was set back meanwhile, more than 300
 * seconds may seem to be left; the window cuts that to 300.
 */
export async function restoreBlocks({ store, clock, limiter }: Pick<Deps, 'store' | 'clock' | 'limiter'>) {
  const now = clock.now();
  for (const { id, blockedUntil } of await store.keys.listBlocked(now)) {
    limiter.restoreBlock(id, Math.min(blockedUntil - now, RATE_LIMIT.blockSeconds * 1000));
  }
}
