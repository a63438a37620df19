import type { Deps } from '../context/deps.ts';
import type { SinceBoot } from '../core/ports.ts';
import type { SavedBlock } from '../storage/key-store.ts';

/** Restores, at start, the blocks that a previous process saved, including those that have ended since. */
export async function restoreBlocks({ store, clock, limiter }: Pick<Deps, 'store' | 'clock' | 'limiter'>) {
  const time = { now: clock.now(), sinceBoot: clock.sinceBoot() };
  for (const block of await store.keys.listBlocked()) limiter.restoreBlock(block.keyId, remainingMs(block, time));
}

/**
 * Returns how much of a block is left, in milliseconds. If the machine has been running since the block was saved, its
 * uptime tells how much time has passed, regardless of changes to the system clock. After a reboot, only the system
 * clock is left: if it shows an earlier time than when the block was saved, it was set back, so the block has as much
 * time left as when it was saved.
 */
function remainingMs(block: SavedBlock, { now, sinceBoot }: { now: number; sinceBoot: SinceBoot | null }): number {
  const { until, savedAt, sinceBoot: saved } = block;
  const isSameBoot = saved !== null && sinceBoot !== null && saved.boot === sinceBoot.boot && saved.ms <= sinceBoot.ms;
  if (isSameBoot) return until - savedAt - (sinceBoot.ms - saved.ms);
  return until - Math.max(now, savedAt);
}
