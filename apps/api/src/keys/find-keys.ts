import type { Deps } from '../deps.ts';
import type { KeyListing, KeyPageRequest } from '../store/store.ts';

/** How many keys to look at at a time for those that suit, which may be rare. */
const LOOK_AT = 500;
/**
 * How many keys one request looks at for them. Beyond it the page is short, and `next` goes on from there: what is rare
 * costs its reader some requests, and nobody else a pause.
 */
const MAX_EXAMINED = 1_000;

interface FoundKeys {
  /** One more than the page holds, if there are more. */
  found: KeyListing[];
  /** Where to go on, if there may be more behind all that were looked at. */
  lookedAtUpTo: string | null;
}

/** Keys for a page, newest first; with `suits` those of them, found among several pages of the store, up to a bound. */
export async function findKeys(
  { store }: Pick<Deps, 'store'>,
  { limit, matches, ...query }: KeyPageRequest & { matches?: ((key: KeyListing) => boolean) | undefined },
): Promise<FoundKeys> {
  const found: KeyListing[] = [];
  const step = matches === undefined ? limit + 1 : LOOK_AT;
  let { before } = query;
  for (let lookedAt = 0; lookedAt < MAX_EXAMINED; lookedAt += step) {
    const records = await store.keys.list({ ...query, limit: step, before });
    found.push(...(matches === undefined ? records : records.filter(matches)));
    before = records.at(-1)?.id;
    if (found.length > limit || records.length < step) return { found, lookedAtUpTo: null };
  }
  return { found, lookedAtUpTo: before ?? null };
}
