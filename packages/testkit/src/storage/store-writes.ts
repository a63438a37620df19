import {
  changeItem,
  type HubChanges,
  type HubListing,
  type ItemRecord,
  joinHub,
  type KeyChanges,
  type KeyListing,
  type KeyUsageTally,
  type MembershipRecord,
  markDeleted,
  moveMarks,
  type NewItem,
  type NewPost,
  type ReadTo,
  type Repositories,
  ruleOf,
  type SequencedHub,
  type Store,
  storeItem,
  type UserRecord,
} from '../../../../apps/api/src/for-tests.ts';
import { hubRecord, type NewKey, type NewUser, testAudit } from './store-records.ts';

/** Writes that many tests need, each in a transaction of its own, without the rules of the use cases. */
export function insertHub(store: Store, hub = hubRecord()): Promise<HubListing> {
  return store.transaction(async ({ hubs }) => {
    await hubs.insert(hub);
    return { ...hub, seq: 0 };
  });
}

export function updateHub(store: Store, hubId: string, changes: HubChanges): Promise<void> {
  return store.transaction(({ hubs }) => hubs.update(hubId, changes));
}

/** Adds a user to a Hub as the use case does: what is already in the Hub counts as read. */
export function insertMember(store: Store, hubId: string, userId: string): Promise<MembershipRecord> {
  return store.transaction(async (tx) => {
    const user = await tx.users.find(userId);
    if (!user) throw new Error(`There is no user ${userId}`);
    return joinHub(tx, { hubId, user, audit: testAudit({ action: 'member.added', hubId }) });
  });
}

/** Moves the read marks of a member as the use case does: only forward, and not beyond the newest event. */
export function markRead(
  store: Store,
  { hubId, userId, ...mark }: Pick<MembershipRecord, 'hubId' | 'userId'> & ReadTo,
): Promise<MembershipRecord> {
  return store.transaction(async (tx) => {
    const [hub, membership] = [await tx.hubs.find(hubId), await tx.memberships.find(hubId, userId)];
    if (!hub || !membership) throw new Error(`${userId} is not a member of ${hubId}`);
    return moveMarks(tx, hub, membership, mark);
  });
}

export function insertKey(store: Store, { key, tokenHash, audit }: NewKey): Promise<KeyListing> {
  return store.transaction(async (tx) => {
    await tx.keys.insert(key, tokenHash);
    await tx.audit.insert(audit);
    const listing = await tx.keys.find(key.id);
    if (!listing) throw new Error(`The key ${key.id} is not listed`);
    return listing;
  });
}

export function updateKey(store: Store, keyId: string, changes: KeyChanges): Promise<unknown> {
  return store.transaction(({ keys }) => keys.update(keyId, changes));
}

export function addUsage(store: Store, tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> {
  return store.transaction(({ keys }) => keys.addUsage(tallies));
}

export function insertPost({ posts }: Store, post: NewPost): Promise<SequencedHub> {
  return posts.write(post, ruleOf(post));
}

export function insertItem(store: Store, item: NewItem): Promise<ItemRecord> {
  return store.transaction((tx) => storeItem(tx, item));
}

export function updateItem(
  store: Store,
  itemId: string,
  change: Parameters<typeof changeItem>[2],
): Promise<ItemRecord> {
  return withItem(store, itemId, (tx, item) => changeItem(tx, item, change));
}

export function deleteItem(store: Store, itemId: string, at = 200): Promise<ItemRecord> {
  return withItem(store, itemId, (tx, item) => markDeleted(tx, item, testAudit({ at })));
}

function withItem<T>(
  store: Store,
  itemId: string,
  work: (tx: Repositories, item: ItemRecord) => Promise<T>,
): Promise<T> {
  return store.transaction(async (tx) => {
    const item = await tx.items.find(itemId);
    if (!item) throw new Error(`There is no item ${itemId}`);
    return work(tx, item);
  });
}

/** Inserts a user, who then joins their Hubs. */
export async function insertUser(store: Store, { user, passwordHash, hubIds, audit }: NewUser): Promise<UserRecord> {
  await store.transaction(async (tx) => {
    await tx.users.insert(user, { passwordHash, caselessName: user.id, skeletonName: user.id });
    await tx.audit.insert(audit);
  });
  for (const hubId of hubIds) await insertMember(store, hubId, user.id);
  return user;
}

type Noun = keyof Repositories;

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

/** Makes the store reject all later posts. Returns a function that ends this. */
export function failPosts(store: Store, error: () => unknown): () => void {
  const { posts } = store;
  Object.assign(store, { posts: { write: () => Promise.reject(error()) } });
  return () => void Object.assign(store, { posts });
}

/**
 * Makes the next call of a function of the store, of those with such arguments, wait once it has its result, as if the
 * response were late. `reached` resolves when it has that; `goOn` lets it return.
 */
export function holdNext<T extends object, K extends keyof T & string>(
  on: T,
  name: K,
  isHeld: (...given: T[K] extends (...given: infer Given) => unknown ? Given : never) => boolean = () => true,
): { reached: Promise<void>; goOn: () => void } {
  const call = (on[name] as (...given: unknown[]) => Promise<unknown>).bind(on);
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = async (...given: Parameters<typeof isHeld>) => {
    if (!isHeld(...given)) return call(...given);
    Object.assign(on, { [name]: call });
    const result = await call(...given);
    reached.resolve();
    await released.promise;
    return result;
  };
  Object.assign(on, { [name]: held });
  return { reached: reached.promise, goOn: released.resolve };
}
