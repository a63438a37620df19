import { type HubCounts, LIMITS } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { countKeys } from './count-keys.ts';
import { readableHub } from './hub-rights.ts';

/** Counts the members, keys, notes and open to-dos of a Hub. */
export async function countHub(deps: Deps, caller: Caller, hubId: string | null): Promise<HubCounts> {
  const hub = await readableHub(deps.store, caller, hubId);
  const [contents, keys] = await Promise.all([
    deps.store.hubs.countContents(hub.id, LIMITS.hubCount),
    countKeys(deps, caller, hub.id),
  ]);
  return { hubId: hub.id, ...contents, keys };
}
