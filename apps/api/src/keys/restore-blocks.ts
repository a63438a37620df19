import type { Deps } from '../deps.ts';
import type { SinceBoot } from '../ports.ts';
import type { NotedBlock } from '../store/key-blocks.ts';

/** Takes up, at start, the blocks that a former process wrote down, also those that have ended since. */
export async function restoreBlocks({ store, clock, limiter }: Pick<Deps, 'store' | 'clock' | 'limiter'>) {
  const time = { now: clock.now(), sinceBoot: clock.sinceBoot() };
  for (const block of await store.keys.listBlocked()) limiter.restoreBlock(block.keyId, remainingMs(block, time));
}

/**
 * What is left of a block. The machine that has run on since it was written down knows how long that is, whatever its clock was
 * set to. After another start of the machine there is the clock alone: if it shows less than when the block was
 * written down, it has been set back meanwhile, and no more is left of the block than was left then.
 */
function remainingMs(block: NotedBlock, { now, sinceBoot }: { now: number; sinceBoot: SinceBoot | null }): number {
  const { until, notedAt, sinceBoot: noted } = block;
  const hasRunOn = noted !== null && sinceBoot !== null && noted.boot === sinceBoot.boot && noted.ms <= sinceBoot.ms;
  if (hasRunOn) return until - notedAt - (sinceBoot.ms - noted.ms);
  return until - Math.max(now, notedAt);
}
