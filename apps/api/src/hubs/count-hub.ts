import { type HubCounts, LIMITS } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { keyState } from '../keys/key-state.ts';
import { readableHub } from './hub-rights.ts';

const CAN_POST: ReadonlySet<string> = new Set(['active', 'rotated', 'blocked']);

/** How much there is in a Hub. A blocked key counts: it is let in again by itself. */
export async function countHub(deps: Deps, caller: Caller, hubId: string | null): Promise<HubCounts> {
  const hub = await readableHub(deps, caller, hubId);
  const [contents, keys] = await Promise.all([
    deps.store.hubs.countContents(hub.id, LIMITS.hubCount),
    countKeys(deps, caller, hub.id),
  ]);
  return { hubId: hub.id, ...contents, keys };
}

async function countKeys({ store, clock, limiter }: Deps, caller: Caller, hubId: string): Promise<number | null> {
  if (!isAdmin(caller) && !(await store.workspace()).membersManageKeys) return null;
  const keys = await store.keys.list({ hubId, limit: LIMITS.hubCount });
  const now = clock.now();
  return keys.filter((key) => CAN_POST.has(keyState(key, now, limiter.blockRemainingMs(key.id)))).length;
}
