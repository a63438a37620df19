import type { Deps } from '../deps.ts';

/**
 * Writes down what is known of the keys in memory alone: their use, and how long the blocks of some last by the clock of
 * now, and revocations that a full disk did not take. Called every few seconds and at the end, so that a kill loses at most that, and a clock that was set is followed.
 */
export async function writeDownKeys({
  store,
  clock,
  usage,
  limiter,
  revocations,
}: Pick<Deps, 'store' | 'clock' | 'usage' | 'limiter' | 'revocations'>) {
  await revocations.write();
  await usage.flush(store);

  for (const block of limiter.unwrittenBlocks.values()) {
    await store.keys.block(block);
    limiter.unwrittenBlocks.delete(block.keyId);
  }
  const blocks = limiter.blocks();
  if (blocks.length === 0) return;
  const now = clock.now();
  await store.keys.noteBlocks(
    blocks.map(({ keyId, remainingMs }) => ({ keyId, until: remainingMs > 0 ? now + Math.floor(remainingMs) : null })),
    { at: now, sinceBoot: clock.sinceBoot() },
  );
  for (const { keyId, remainingMs } of blocks) if (remainingMs === 0) limiter.forgetEndedBlock(keyId);
}
