import type { Hub } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { type Page, pageOf } from '../paging.ts';
import type { HubFilter, PageRequest } from '../store/store.ts';
import { hubView } from './hub-view.ts';

/** A page of Hubs, newest first. */
export async function listHubs(
  { store }: Pick<Deps, 'store'>,
  { limit, before, filter }: PageRequest & { filter: HubFilter },
): Promise<Page<Hub>> {
  const hubs = await store.hubs.list({ limit: limit + 1, before, filter });
  return pageOf(
    hubs.map((hub) => hubView(hub)),
    limit,
  );
}
