import type { ApiKey, KeyState } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import { keyView } from './key-view.ts';

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
  let before = input.before;
  while (found.length <= input.limit) {
    const records = await deps.store.keys.list({ limit: input.limit + 1, before, hubId: input.hubId });
    const views = records.map((record) => keyView(deps, record));
    found.push(...views.filter((key) => input.state === undefined || key.state === input.state));
    before = records.at(-1)?.id;
    if (records.length <= input.limit) break;
  }
  return pageOf(found, input.limit);
}
