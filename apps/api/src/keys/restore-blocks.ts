import type { Deps } from '../deps.ts';

/**
 * Takes up, at start, the blocks that a former process wrote down. If the clock now shows less than when a block was
 * written down, it has been set back meanwhile, and no more is left of the block than was left then.
 */
export async function restoreBlocks({ store, clock, limiter }: Pick<Deps, 'store' | 'clock' | 'limiter'>) {
  const now = clock.now();
  for (const { keyId, until, notedAt } of await store.keys.listBlocked(now)) {
    limiter.restoreBlock(keyId, until - Math.max(now, notedAt));
  }
}
