import type { ApiKey, KeyState } from '@hub/contract';
import { type Caller, isAdmin } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, pageOf } from '../core/paging.ts';
import { visibleHub } from '../hubs/hub-rights.ts';
import type { KeyListing, KeyPageRequest } from '../storage/key-store.ts';
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

/** How many keys to read at a time when filtering, since matches may be rare. */
const BATCH_SIZE = 500;
/**
 * The maximum number of keys that one request reads when filtering. The page can then be short, and `next` continues
 * from there, so a search for rare matches takes several requests but does not slow down other requests.
 */
const MAX_EXAMINED = 1_000;

interface FoundKeys {
  /** One key more than the limit, if there are more. */
  found: KeyListing[];
  /** The cursor to continue from, if there may be more after the examined keys. */
  examinedUpTo: string | null;
}

/** Returns keys for a page, newest first. With `matches`, it filters several pages of the store, up to a bound. */
export async function findKeys(
  { store }: Pick<Deps, 'store'>,
  { limit, matches, ...query }: KeyPageRequest & { matches?: ((key: KeyListing) => boolean) | undefined },
): Promise<FoundKeys> {
  const found: KeyListing[] = [];
  const step = matches === undefined ? limit + 1 : BATCH_SIZE;
  let { before } = query;
  for (let examined = 0; examined < MAX_EXAMINED; examined += step) {
    const records = await store.keys.list({ ...query, limit: step, before });
    found.push(...(matches === undefined ? records : records.filter(matches)));
    before = records.at(-1)?.id;
    if (found.length > limit || records.length < step) return { found, examinedUpTo: null };
  }
  return { found, examinedUpTo: before ?? null };
}
