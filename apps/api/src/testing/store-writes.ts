import { storePost } from '../posts/create-post.ts';
import type { KeyUsageTally } from '../storage/key-use.ts';
import type { KeyChanges, Repositories } from '../storage/repositories.ts';
import type { KeyListing, NewPost, Store } from '../storage/store.ts';
import type { NewKey } from './store-records.ts';

/** Writes that many tests need, each in a transaction of its own, without the rules of the use cases. */
export function insertKey(store: Store, { key, tokenHash, audit }: NewKey): Promise<KeyListing> {
  return store.transaction(async (tx) => {
    await tx.keys.insert(key, tokenHash);
    await tx.audit.insert(audit);
    const listing = await tx.keys.find(key.id);
    if (!listing) throw new Error(`The key ${key.id} is not listed`);
    return listing;
  });
}

export function updateKey(store: Store, keyId: string, changes: KeyChanges): Promise<void> {
  return store.transaction(({ keys }) => keys.update(keyId, changes));
}

export function addUsage(store: Store, tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> {
  return store.transaction(({ keys }) => keys.addUsage(tallies));
}

export function insertPost(store: Store, post: NewPost): Promise<{ seq: number; containerId: string }> {
  return store.transaction((tx) => storePost(tx, post));
}

type Noun = Exclude<keyof Repositories, 'workspace'>;

/**
 * Makes one function of a repository reject in all later transactions. Returns a function that ends this.
 */
export function failInTransactions<N extends Noun>(
  store: Store,
  noun: N,
  name: keyof Repositories[N] & string,
  error: () => unknown,
): () => void {
  const { transaction } = store;
  const fail = () => Promise.reject(error());
  store.transaction = (work) => transaction((tx) => work({ ...tx, [noun]: { ...tx[noun], [name]: fail } }));
  return () => {
    store.transaction = transaction;
  };
}
