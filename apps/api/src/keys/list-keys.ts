import type { ApiKey, KeyState } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import { keyView } from './key-view.ts';

/** How many keys to look at at a time for those in one state, which may be rare. */
const LOOK_AT = 500;

interface ListKeysInput {
  limit: number;
  before?: string | undefined;
  hubId?: string | undefined;
  state?: KeyState | undefined;
}

/**
 * A page of keys, newest first. The state is judged at this moment (blocks live in memory), so a page filtered by state
 * is filled from as many pages of the store as it needs.
 */
export async function listKeys(deps: Deps, input: ListKeysInput): Promise<Page<ApiKey>> {
  const found: ApiKey[] = [];
  const step = input.state === undefined ? input.limit + 1 : Math.max(LOOK_AT, input.limit + 1);
  let before = input.before;
  while (found.length <= input.limit) {
    const records = await deps.store.keys.list({ limit: step, before, hubId: input.hubId });
    const views = records.map((record) => keyView(deps, record));
    found.push(...views.filter((key) => input.state === undefined || key.state === input.state));
    before = records.at(-1)?.id;
    if (records.length < step) break;
  }
  return pageOf(found, input.limit);
}
