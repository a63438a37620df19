import type { Item, TodoStatus } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { ANY_ITEM } from '../items/item-rights.ts';
import { itemView } from '../items/item-view.ts';
import { hubIdsFor, itemFilters } from '../items/list-items.ts';
import type { SearchQuery, SearchTerm } from '../storage/item-search.ts';
import type { ItemKind, ItemRecord } from '../storage/item-store.ts';

/** Items read at a time, and the maximum size of a page in characters. A single item may exceed it. */
const READ_AT_A_TIME = 10;
const MAX_CHARACTERS = 1024 * 1024;

/** Items can be deleted after they are found and before they are read. After this many rounds, the page stays short. */
const MAX_ROUNDS = 10;

type SearchDeps = Pick<Deps, 'store' | 'search'>;

export interface SearchInput extends PageRequest {
  terms: SearchTerm[];
  hubId?: string | undefined;
  kind?: ItemKind | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  /** Finds only to-dos. */
  status?: TodoStatus | undefined;
  /** In milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * Finds the items that contain all terms, newest first, in the Hubs that the caller may read. Queries the index for
 * those Hubs only, and checks access once more when the items are read.
 */
export async function searchItems(
  deps: SearchDeps,
  caller: Caller,
  { hubId, terms, kind, keyId, authorId, status, from, to, before, limit }: SearchInput,
): Promise<Page<Item>> {
  const hubIds = await hubIdsFor(deps, caller, hubId);
  const beforeRank = before === undefined ? undefined : await rankOf(deps, hubIds, before);
  const query = { terms, hubIds, kind, from, to, ...itemFilters(caller, { status, keyId, authorId }), beforeRank };
  const { found, isCut } = await findReadable(deps, query, limit + 1);
  // The index may have been slow: items that the caller can no longer read are left out.
  const stillReadable = new Set(await hubIdsFor(deps, caller, hubId));
  const shown = found.filter((item) => stillReadable.has(item.hubId));
  const page = pageOf(shown.map(itemView), limit);
  return isCut ? { ...page, next: page.items.at(-1)?.id ?? null } : page;
}

/** Finds readable items. `isCut`: the page has reached its maximum size and ends here, although there may be more. */
async function findReadable(
  { store, search }: SearchDeps,
  query: Omit<SearchQuery, 'limit'>,
  limit: number,
): Promise<{ found: ItemRecord[]; isCut: boolean }> {
  const found: ItemRecord[] = [];
  let characters = 0;
  let { beforeRank } = query;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const missing = limit - found.length;
    const ranks = await search.find({ ...query, beforeRank, limit: missing });
    for (let done = 0; done < ranks.length; done += READ_AT_A_TIME) {
      const read = await store.items.listByRank(ranks.slice(done, done + READ_AT_A_TIME), query.hubIds);
      for (const item of read) {
        characters += (item.body?.length ?? 0) + (item.blocks?.length ?? 0);
        if (found.length > 0 && characters > MAX_CHARACTERS) return { found, isCut: true };
        found.push(item);
      }
    }
    if (ranks.length < missing || found.length === limit) break;
    beforeRank = ranks.at(-1);
  }
  return { found, isCut: false };
}

/** Returns the rank of the cursor in commit order, which is one above that of the first item before the cursor. */
async function rankOf({ store }: SearchDeps, hubIds: readonly string[], before: string): Promise<number> {
  const { items } = await store.items.list({ hubIds, kinds: ANY_ITEM.kinds, limit: 1, before });
  return (items[0]?.rank ?? 0) + 1;
}
