import type { Deps } from '../deps.ts';

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
    await store.keys.block(block);
    limiter.unsavedBlocks.delete(block.keyId);
  }
  const blocks = limiter.blocks();
  if (blocks.length === 0) return;
  const now = clock.now();
  await store.keys.saveBlocks(
    blocks.map(({ keyId, remainingMs }) => ({ keyId, until: remainingMs > 0 ? now + Math.floor(remainingMs) : null })),
    { at: now, sinceBoot: clock.sinceBoot() },
  );
  for (const { keyId, remainingMs } of blocks) if (remainingMs === 0) limiter.forgetEndedBlock(keyId);
}
