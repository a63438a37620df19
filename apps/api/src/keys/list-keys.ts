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
 * live in memory), so a page filtered by state is filled from as many pages of the store as it needs.
 */
export async function listKeys(deps: Deps, caller: Caller, input: ListKeysInput): Promise<Page<ApiKey>> {
  await requireKeyManager(deps, caller);
  if (input.hubId !== undefined) await visibleHub(deps, caller, input.hubId);
  const page = pageOf(await findKeys(deps, caller, input), input.limit);
  if (input.usageDays === undefined) return page;
  const ids = page.items.map(({ id }) => id);
  const usage = await usageByDay(deps, ids, input.usageDays);
  return { ...page, items: page.items.map((key) => ({ ...key, usage: usage.get(key.id) ?? [] })) };
}

/** One more than the page holds, if there are more. */
async function findKeys(deps: Deps, caller: Caller, input: ListKeysInput): Promise<ApiKey[]> {
  const { hubId, limit, state } = input;
  const memberId = isAdmin(caller) ? undefined : caller.person?.id;
  const found: ApiKey[] = [];
  const step = state === undefined ? limit + 1 : Math.max(LOOK_AT, limit + 1);
  let before = input.before;
  while (found.length <= limit) {
    const records = await deps.store.keys.list({ limit: step, before, hubId, memberId });
    const views = records.map((record) => keyView(deps, record));
    found.push(...views.filter((key) => state === undefined || key.state === state));
    before = records.at(-1)?.id;
    if (records.length < step) break;
  }
  return found;
}
