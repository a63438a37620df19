import { LIMITS, type RetentionPreview } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { findHub } from './find-hub.ts';

const DAY_MS = 86_400_000;

/** Counts the items of a Hub that a retention period of `retentionDays` would remove now. */
export async function previewRetention(
  deps: Pick<Deps, 'store' | 'clock'>,
  hubId: string | null,
  retentionDays: number,
): Promise<RetentionPreview> {
  const hub = await findHub(deps.store, hubId);
  const items = await deps.store.hubs.countOlder(hub.id, deps.clock.now() - retentionDays * DAY_MS, LIMITS.hubCount);
  return { hubId: hub.id, retentionDays, items };
}
