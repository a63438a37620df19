import { RATE_LIMIT } from '@hub/contract';
import { auditRecord } from '../access/caller.ts';
import type { SinceBoot } from '../platform/ports.ts';
import { SERVER } from '../storage/audit.ts';
import type { KeyCredential, NewBlock, SavedBlock } from '../storage/keys.ts';
import type { Store } from '../storage/store.ts';
import type { KeyDeps, KeyLimiter } from '../workspace/keys/key-usage.ts';

type FlushDeps = Pick<KeyDeps, 'store' | 'clock' | 'usage' | 'limiter' | 'revocations'>;

/** Saves what is only in memory: revocations, key usage and blocks. Runs regularly and at shutdown. */
export async function flushKeys(deps: FlushDeps): Promise<void> {
  await saveRevocationsAndBlocks(deps);
  await deps.usage.flush(deps.store);
}

/** Saves revocations and blocks that a full disk left unsaved, and when each block ends by the present system clock. */
export async function saveRevocationsAndBlocks({
  store,
  clock,
  limiter,
  revocations,
}: Omit<FlushDeps, 'usage'>): Promise<void> {
  await revocations.save();
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

function writeBlock(store: Store, { audit, sinceBoot, ...block }: NewBlock): Promise<void> {
  return store.transaction(async (tx) => {
    await tx.keys.saveBlock(block, { at: audit.at, sinceBoot });
    await tx.keys.countBlock(block.keyId, audit.at);
    await tx.audit.insert(audit);
  }, `key ${block.keyId}`);
}

/** Saves the block of a key with its audit entry. If that fails, it is retried regularly. */
export async function saveBlock(
  deps: Pick<KeyDeps, 'store' | 'clock' | 'newId' | 'log' | 'limiter'>,
  key: KeyCredential,
  address: string,
): Promise<void> {
  const until = deps.clock.now() + RATE_LIMIT.blockSeconds * 1000;
  const audit = auditRecord(
    deps,
    { actor: SERVER, address },
    { action: 'key.blocked', hubId: key.hubId, target: key, details: { until: new Date(until).toISOString() } },
  );
  const block = { keyId: key.id, until, sinceBoot: deps.clock.sinceBoot(), audit };
  try {
    await writeBlock(deps.store, block);
  } catch (error) {
    deps.limiter.unsavedBlocks.set(key.id, block);
    deps.log.error({ err: error, keyId: key.id }, 'Failed to save a block; it stays in effect and will be retried');
  }
}

/** Restores, at start, the blocks that a previous process saved, including those that have ended since. */
export async function restoreBlocks({
  store,
  clock,
  limiter,
}: Pick<KeyDeps, 'store' | 'clock'> & { limiter: KeyLimiter }) {
  const time = { now: clock.now(), sinceBoot: clock.sinceBoot() };
  for (const block of await store.keys.listBlocked()) limiter.restoreBlock(block.keyId, remainingMs(block, time));
}

/**
 * Returns the milliseconds left of a block. If the machine has run since it was saved, its uptime tells, whatever the
 * clock does. After a reboot, only the system clock is left; if it shows an earlier time than then, it was set back.
 */
function remainingMs(block: SavedBlock, { now, sinceBoot }: { now: number; sinceBoot: SinceBoot | null }): number {
  const { until, savedAt, sinceBoot: saved } = block;
  const isSameBoot = saved !== null && sinceBoot !== null && saved.boot === sinceBoot.boot && saved.ms <= sinceBoot.ms;
  if (isSameBoot) return until - savedAt - (sinceBoot.ms - saved.ms);
  return until - Math.max(now, savedAt);
}
