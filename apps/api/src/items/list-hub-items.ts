import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import type { ItemPage } from '../storage/item-store.ts';
import type { ItemKind } from '../storage/records.ts';
import { findItems, type ItemFilters, itemFilters } from './item-filters.ts';

export interface PageCursor {
  limit: number;
  before?: string | undefined;
  after?: string | undefined;
}

/** Returns a page of the messages, notes or to-dos of one Hub, with the event number that the page reflects. */
export async function listHubItems<View>(
  deps: Deps,
  caller: Caller,
  { hubId, kind, filters, ...cursor }: PageCursor & { hubId: string | null; kind: ItemKind; filters: ItemFilters },
  view: (item: ItemPage['items'][number]) => View,
) {
  const hub = await readableHub(deps.store, caller, hubId);
  const page = await findItems(deps, { ...cursor, ...itemFilters(caller, filters), hubIds: [hub.id], kinds: [kind] });
  return hubPage(page, hub.id, view);
}

export function hubPage<View>(page: ItemPage, hubId: string, view: (item: ItemPage['items'][number]) => View) {
  return { items: page.items.map(view), next: page.next, seq: page.seqs[hubId] ?? 0, epoch: page.epoch };
}
