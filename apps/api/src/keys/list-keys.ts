import type { ApiKey, KeyState } from '@hub/contract';
import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { visibleHub } from '../hubs/hub-rights.ts';
import { type Page, pageOf } from '../paging.ts';
import { usageByDay } from './key-days.ts';
import { requireKeyManager } from './key-rights.ts';
import { keyView } from './key-view.ts';

/** How many keys to look at at a time for those in one state, which may be rare. */
const LOOK_AT = 500;
/**
 * How many keys one request looks at for them. Beyond it the page is short, and `next` goes on from there: a rare state
 * costs its reader some requests, and nobody else a pause.
 */
const MOST_LOOKED_AT = 1_000;

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
  const { found, lookedAtUpTo } = await findKeys(deps, caller, input);
  const { items, next } = pageOf(found, input.limit);
  const page = { items, next: next ?? lookedAtUpTo };
  if (input.usageDays === undefined) return page;
  const ids = page.items.map(({ id }) => id);
  const usage = await usageByDay(deps, ids, input.usageDays);
  return { ...page, items: page.items.map((key) => ({ ...key, usage: usage.get(key.id) ?? [] })) };
}

/** One more than the page holds, if there are more; and where to go on, if they may lie behind all that were looked at. */
async function findKeys(
  deps: Deps,
  caller: Caller,
  { hubId, limit, state, ...input }: ListKeysInput,
): Promise<{ found: ApiKey[]; lookedAtUpTo: string | null }> {
  const memberId = isAdmin(caller) ? undefined : caller.person?.id;
  const found: ApiKey[] = [];
  const step = state === undefined ? limit + 1 : LOOK_AT;
  let before = input.before;
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += step) {
    const records = await deps.store.keys.list({ limit: step, before, hubId, memberId });
    const views = records.map((record) => keyView(deps, record));
    found.push(...views.filter((key) => state === undefined || key.state === state));
    before = records.at(-1)?.id;
    if (found.length > limit || records.length < step) return { found, lookedAtUpTo: null };
  }
  return { found, lookedAtUpTo: before ?? null };
}
