import type { Removal } from '@hub/contract';
import type { Deps } from '../deps.ts';
import { findKey } from '../keys/find-key.ts';
import { type Page, pageOf } from '../paging.ts';
import type { PageRequest } from '../storage/records.ts';
import { removalView } from './removal-view.ts';

/** Lists the removals of a key's posts, newest first, including those that were undone. */
export async function listRemovals(
  { store }: Pick<Deps, 'store'>,
  keyId: string | null,
  { limit, before }: PageRequest,
): Promise<Page<Removal>> {
  const key = await findKey(store, keyId);
  const found = await store.items.listRemovals({ keyId: key.id, limit: limit + 1, before });
  const { items, next } = pageOf(found, limit);
  return { items: items.map(removalView), next };
}
