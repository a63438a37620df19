import type { ApiKey, KeyState } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, pageOf } from '../core/paging.ts';
import { visibleHub } from '../hubs/hub-rights.ts';
import type { KeyListing } from '../storage/key-store.ts';
import { findKeys } from './find-keys.ts';
import { usageByDay } from './key-days.ts';
import { requireKeyManager } from './key-rights.ts';
import { keyView } from './key-view.ts';

interface ListKeysInput {
  limit: number;
  before?: string | undefined;
  hubId?: string | undefined;
  state?: KeyState | undefined;
  /** The number of days for which the usage of each key is shown. */
  usageDays?: number | undefined;
}

/**
 * Returns a page of keys, newest first: for admins from all Hubs, for members from their own. The state is computed at
 * request time (blocks live in memory), so a filter by state reads several pages of the store, up to a bound.
 */
export async function listKeys(deps: Deps, caller: Caller, input: ListKeysInput): Promise<Page<ApiKey>> {
  await requireKeyManager(deps.store, caller);
  if (input.hubId !== undefined) await visibleHub(deps.store, caller, input.hubId);
  const { limit, before, hubId, state } = input;
  const memberId = isAdmin(caller) ? undefined : caller.user?.id;
  const matches = state && ((key: KeyListing) => keyView(deps, key).state === state);
  const { found, examinedUpTo } = await findKeys(deps, { limit, before, hubId, memberId, matches });
  const { items, next } = pageOf(found, limit);
  const page = { items: items.map((key) => keyView(deps, key)), next: next ?? examinedUpTo };
  if (input.usageDays === undefined) return page;
  const ids = page.items.map(({ id }) => id);
  const usage = await usageByDay(deps, ids, input.usageDays);
  return { ...page, items: page.items.map((key) => ({ ...key, usage: usage.get(key.id) ?? [] })) };
}
