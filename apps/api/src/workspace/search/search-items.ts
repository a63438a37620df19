import { type Item, LIMITS } from '@hub/contract';
import { wordCount } from '@hub/contract/search-text';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError, tooBusy } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import type { Page, PageRequest } from '../../platform/paging.ts';
import type { Clock } from '../../platform/ports.ts';
import { MAX_PAGE_BYTES } from '../../storage/item-pages.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { ItemSearch, SearchQuery, SearchTerm } from '../../storage/store.ts';
import { ANY_ITEM } from '../items/item-rights.ts';
import { itemView } from '../items/item-view.ts';
import { hubIdsFor, itemFilters } from '../items/list-items.ts';

/** A quoted phrase, possibly without its closing quote, or a run of characters between white space and quotes. */
const PART = /"([^"]*)("|$)|[^\s"]+/g;
/** Matches text that contains something searchable. Punctuation and emoji are not in the index. */
const FINDABLE = /[\p{L}\p{N}]/u;
/** Matches a query whose last word may be incomplete. White space or a symbol, as in `c++`, completes a word. */
const ENDS_IN_WORD = /[\p{L}\p{N}\p{M}]$/u;

/** Parses a query into words and "quoted phrases". The last word is a prefix until white space or a symbol follows. */
export function searchTerms(q: string | undefined): SearchTerm[] {
  if (q === undefined || q.trim() === '') throw new AppError('invalid', 'q is required: enter the words to search for');
  const size = [...q].length;
  if (size > LIMITS.searchQueryCodePoints) {
    throw new AppError('invalid', `q has ${size} characters; at most ${LIMITS.searchQueryCodePoints} are accepted`);
  }
  const terms: SearchTerm[] = [];
  for (const match of q.replaceAll(/[“”„]/g, '"').matchAll(PART)) {
    const [part, quoted, end] = match;
    const text = quoted ?? part;
    const isLast = match.index + part.length === q.length;
    const isTyped = isLast && end !== '"' && ENDS_IN_WORD.test(text);
    if (FINDABLE.test(text)) terms.push({ text, isPrefix: isTyped });
  }
  if (terms.length === 0) throw new AppError('invalid', 'q contains no word: punctuation and emoji are not searchable');
  const words = terms.map((term) => wordCount(term.text));
  const [longest, all] = [Math.max(...words), words.reduce((sum, count) => sum + count, 0)];
  const { searchPhraseWords, searchQueryWords } = LIMITS;
  if (longest > searchPhraseWords) {
    throw new AppError(
      'invalid',
      `A phrase in the search has ${longest} words; at most ${searchPhraseWords} are accepted`,
    );
  }
  if (all > searchQueryWords) {
    throw new AppError('invalid', `The search has ${all} words; at most ${searchQueryWords} are accepted`);
  }
  return terms;
}

const READ_AT_A_TIME = 10;

/** Found items can be deleted before they are read. After so many rounds, or so late, the page stays short. */
const MAX_ROUNDS = 10;
const LAST_ROUND_MS = 1_000;

/** The dependencies of searching. */
export interface SearchDeps extends Deps {
  search: ItemSearch;
  searchTurns: FairGate;
}

/** One search per caller and two in all: each takes a core. 4 s to wait and 3 s to run let a stop take 8 s. */
export function searchTurns(clock: Clock): FairGate {
  const busy = () =>
    tooBusy('Too many searches are waiting, and yours was not begun. Wait for one before you send the next.');
  return new FairGate({ clock, perCaller: 1, total: 2, maxWaiting: 1_000, maxWaitMs: 4_000, busy });
}

const nameOf = ({ user }: Caller): string => user?.id ?? 'local';

interface Client {
  readonly request: { readonly signal: AbortSignal };
  readonly reauthorize: (() => Promise<void>) | undefined;
}

interface SearchInput extends Omit<SearchQuery, 'hubIds' | 'beforeGlobalSeq'>, PageRequest {
  hubId?: string | undefined;
}

/**
 * Finds the items that contain all terms, newest first. The index is asked for readable Hubs only, and access is
 * checked again when items are read. Callers take turns; a `client` that leaves is dropped.
 */
export async function searchItems(
  deps: SearchDeps,
  caller: Caller,
  input: SearchInput,
  client?: Client,
): Promise<Page<Item>> {
  const entered = deps.searchTurns.enter(nameOf(caller), client?.request);
  const release = await entered;
  try {
    if (entered instanceof Promise) await client?.reauthorize?.();
    return await searchPage(deps, caller, input);
  } finally {
    release();
  }
}

async function searchPage(
  deps: SearchDeps,
  caller: Caller,
  { hubId, terms, kind, keyId, authorId, status, from, to, before, limit }: SearchInput,
): Promise<Page<Item>> {
  const hubIds = await hubIdsFor(deps, caller, hubId);
  const beforeGlobalSeq = before === undefined ? undefined : await globalSeqOf(deps, hubIds, before);
  const query = { terms, hubIds, kind, from, to, ...itemFilters(caller, { status, keyId, authorId }), beforeGlobalSeq };
  const { items, isCut } = await findReadable(deps, query, { limit: limit + 1, caller: nameOf(caller) });
  // The index may have been slow: items that the caller can no longer read are left out.
  const stillReadable = new Set(await hubIdsFor(deps, caller, hubId));
  const visible = items.slice(0, limit).filter((item) => stillReadable.has(item.hubId));
  // Items that are left out do not end the list.
  const last = items.length > limit ? items[limit - 1] : isCut ? items.at(-1) : undefined;
  return { items: visible.map(itemView), next: last?.id ?? null };
}

/** Finds readable items. `isCut`: the page ends here, although there may be more. */
async function findReadable(
  { store, search, clock }: SearchDeps,
  query: Omit<SearchQuery, 'limit'>,
  { limit, caller }: { limit: number; caller: string },
): Promise<{ items: ItemRecord[]; isCut: boolean }> {
  const items: ItemRecord[] = [];
  let bytes = 0;
  let { beforeGlobalSeq } = query;
  const end = clock.monotonic() + LAST_ROUND_MS;
  for (let round = 0; round < MAX_ROUNDS && clock.monotonic() <= end; round += 1) {
    const missing = limit - items.length;
    const globalSeqs = await search.find({ ...query, beforeGlobalSeq, limit: missing }, caller);
    for (let done = 0; done < globalSeqs.length; done += READ_AT_A_TIME) {
      const read = await store.items.listByGlobalSeq(globalSeqs.slice(done, done + READ_AT_A_TIME), query.hubIds);
      for (const item of read) {
        bytes += Buffer.byteLength(item.body ?? '') + Buffer.byteLength(item.blocks ?? '');
        if (items.length > 0 && bytes > MAX_PAGE_BYTES) return { items, isCut: true };
        items.push(item);
      }
    }
    if (globalSeqs.length < missing || items.length === limit) return { items, isCut: false };
    beforeGlobalSeq = globalSeqs.at(-1);
  }
  return { items, isCut: true };
}

/** Returns the global sequence number of the cursor in commit order, which is one above that of the first item before the cursor. */
async function globalSeqOf({ store }: Deps, hubIds: readonly string[], before: string): Promise<number> {
  const { items } = await store.items.list({ hubIds, kinds: ANY_ITEM.kinds, limit: 1, before });
  return (items[0]?.globalSeq ?? 0) + 1;
}
