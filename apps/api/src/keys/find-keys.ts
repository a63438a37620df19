import type { Deps } from '../context/deps.ts';
import type { KeyListing, KeyPageRequest } from '../storage/key-store.ts';

/** How many keys to read at a time when filtering, since matches may be rare. */
const BATCH_SIZE = 500;
/**
 * The maximum number of keys that one request reads when filtering. The page can then be short, and `next` continues
 * from there, so a search for rare matches takes several requests but does not slow down other requests.
 */
const MAX_EXAMINED = 1_000;

interface FoundKeys {
  /** One key more than the limit, if there are more. */
  found: KeyListing[];
  /** The cursor to continue from, if there may be more after the examined keys. */
  examinedUpTo: string | null;
}

/** Returns keys for a page, newest first. With `matches`, it filters several pages of the store, up to a bound. */
export async function findKeys(
  { store }: Pick<Deps, 'store'>,
  { limit, matches, ...query }: KeyPageRequest & { matches?: ((key: KeyListing) => boolean) | undefined },
): Promise<FoundKeys> {
  const found: KeyListing[] = [];
  const step = matches === undefined ? limit + 1 : BATCH_SIZE;
  let { before } = query;
  for (let examined = 0; examined < MAX_EXAMINED; examined += step) {
    const records = await store.keys.list({ ...query, limit: step, before });
    found.push(...(matches === undefined ? records : records.filter(matches)));
    before = records.at(-1)?.id;
    if (found.length > limit || records.length < step) return { found, examinedUpTo: null };
  }
  return { found, examinedUpTo: before ?? null };
}
