import { LIMITS } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';

/** Counts the keys that can post into a Hub; null if the caller may not manage keys. */
export async function countKeys(deps: Deps, caller: Caller, hubId: string): Promise<number | null> {
  if (!isAdmin(caller) && !(await deps.store.workspace.find()).membersManageKeys) return null;
  return deps.store.hubs.countKeys(hubId, deps.clock.now(), LIMITS.hubCount);
}
