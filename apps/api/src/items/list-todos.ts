import type { StreamPage } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { findItems, type ItemFilters, itemFilters } from './item-filters.ts';
import type { PageCursor } from './list-hub-items.ts';
import { hubIdsFor, hubIdsOfKey, streamPage } from './list-stream.ts';

/** Returns a page of to-dos across all Hubs that the caller may read, such as "My to-dos". */
export async function listTodos(
  deps: Deps,
  caller: Caller,
  { filters, hubId, ...cursor }: PageCursor & { filters: ItemFilters; hubId?: string | undefined },
): Promise<StreamPage> {
  const hubIds = await hubIdsOfKey(deps, filters.keyId, await hubIdsFor(deps, caller, hubId));
  return streamPage(await findItems(deps, { ...cursor, ...itemFilters(caller, filters), hubIds, kinds: ['todo'] }));
}
