import { type HubCounts, LIMITS, type RetentionPreview } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { findHub, readableHub } from './hub-rights.ts';
import { countKeys } from './hub-view.ts';

/** Counts the members, keys, notes and open to-dos of a Hub. */
export async function countHub(deps: Deps, caller: Caller, hubId: string | null): Promise<HubCounts> {
  const hub = await readableHub(deps.store, caller, hubId);
  const [contents, keys] = await Promise.all([
    deps.store.hubs.countContents(hub.id, LIMITS.hubCount),
    countKeys(deps, caller, hub.id),
  ]);
  return { hubId: hub.id, ...contents, keys };
}

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
