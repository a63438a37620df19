import type { Deps } from '../context/deps.ts';
import { writeBlock } from './admit-key.ts';

/**
 * Saves what is only in memory: key usage, revocations that failed to be saved because of a full disk, and when each
 * block ends according to the current system clock. Runs every few seconds and at shutdown, so a kill loses at most a
 * few seconds of usage, and changes to the system clock are taken into account.
 */
export async function flushKeys({
  store,
  clock,
  usage,
  limiter,
  revocations,
}: Pick<Deps, 'store' | 'clock' | 'usage' | 'limiter' | 'revocations'>) {
  await revocations.save();
  await usage.flush(store);

  for (const block of limiter.unsavedBlocks.values()) {
    await writeBlock(store, block);
    limiter.unsavedBlocks.delete(block.keyId);
  }
  const blocks = limiter.blocks();
  if (blocks.length === 0) return;
  const now = clock.now();
  const time = { at: now, sinceBoot: clock.sinceBoot() };
  await store.transaction(async ({ keys }) => {
    for (const { keyId, remainingMs } of blocks) {
      await keys.saveBlock({ keyId, until: remainingMs > 0 ? now + Math.floor(remainingMs) : null }, time);
    }
  });
  for (const { keyId, remainingMs } of blocks) if (remainingMs === 0) limiter.forgetEndedBlock(keyId);
}
