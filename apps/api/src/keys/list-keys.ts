import type { ApiKey, KeyState } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { visibleHub } from '../hubs/hub-rights.ts';
import { type Page, pageOf } from '../paging.ts';
import type { KeyListing } from '../store/store.ts';
import { findKeys } from './find-keys.ts';
import { usageByDay } from './key-days.ts';
import { requireKeyManager } from './key-rights.ts';
import { keyView } from './key-view.ts';

interface ListKeysInput {
  limit: number;
  before?: string | undefined;
  hubId?: string | undefined;
  state?: KeyState | undefined;
  /** For how many days the use of each is shown. */
  usageDays?: number | undefined;
}

/**
 * A page of keys, newest first: for admins of all Hubs, for a member of his own. The state is judged at this moment (blocks
 * live in memory), so a page filtered by state is filled from several pages of the store, up to a bound.
 */
export async function listKeys(deps: Deps, caller: Caller, input: ListKeysInput): Promise<Page<ApiKey>> {
  await requireKeyManager(deps, caller);
  if (input.hubId !== undefined) await visibleHub(deps, caller, input.hubId);
  const { limit, before, hubId, state } = input;
  const memberId = isAdmin(caller) ? undefined : caller.user?.id;
  const matches = state && ((key: KeyListing) => keyView(deps, key).state === state);
  const { found, lookedAtUpTo } = await findKeys(deps, { limit, before, hubId, memberId, matches });
  const { items, next } = pageOf(found, limit);
  const page = { items: items.map((key) => keyView(deps, key)), next: next ?? lookedAtUpTo };
  if (input.usageDays === undefined) return page;
  const ids = page.items.map(({ id }) => id);
  const usage = await usageByDay(deps, ids, input.usageDays);
  return { ...page, items: page.items.map((key) => ({ ...key, usage: usage.get(key.id) ?? [] })) };
}
