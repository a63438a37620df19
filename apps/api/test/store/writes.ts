/** Writes that many tests need, each in a transaction of its own, without the rules of the use cases. */
import { StoreUnavailable } from '../../src/platform/errors.ts';
import { ruleOf } from '../../src/programs/public-api.ts';
import type { SequencedHub } from '../../src/storage/events.ts';
import type { HubListing } from '../../src/storage/hubs.ts';
import type { ItemRecord, NewItem, NewPost } from '../../src/storage/items.ts';
import type { KeyUsageTally } from '../../src/storage/key-usage.ts';
import type { KeyListing } from '../../src/storage/keys.ts';
import type { MembershipRecord } from '../../src/storage/memberships.ts';
import type { Repositories } from '../../src/storage/repositories.ts';
import type { Store } from '../../src/storage/store.ts';
import type { UserRecord } from '../../src/storage/users.ts';
import { moveMarks, type ReadTo } from '../../src/workspace/hubs/mark-read.ts';
import { joinHub } from '../../src/workspace/hubs/members.ts';
import { changeItem } from '../../src/workspace/items/change-item.ts';
import { markDeleted } from '../../src/workspace/items/deletions.ts';
import { storeItem } from '../../src/workspace/items/write-item.ts';
import { hubRecord, type newKey, newPost, type newUser, testAudit, testIds } from './records.ts';

/** Throws if the database does not have what a test needs. */
function there<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new Error('The record is not there');
  return found;
}

export async function insertHub(store: Store, hub = hubRecord()): Promise<HubListing> {
  await store.transaction(({ hubs }) => hubs.insert(hub));
  return { ...hub, seq: 0 };
}

/** Adds a user to a Hub as the use case does: what is already in the Hub counts as read. */
export function insertMember(store: Store, hubId: string, userId: string): Promise<MembershipRecord> {
  return store.transaction(async (tx) => {
    const user = there(await tx.users.find(userId));
    return joinHub(tx, { hubId, user, audit: testAudit({ action: 'member.added', hubId }) });
  });
}

/** Moves the read marks of a member as the use case does: only forward, and not beyond the newest event. */
export function markRead(
  store: Store,
  { hubId, userId, ...mark }: Pick<MembershipRecord, 'hubId' | 'userId'> & ReadTo,
): Promise<MembershipRecord> {
  return store.transaction(async (tx) =>
    moveMarks(tx, there(await tx.hubs.find(hubId)), there(await tx.memberships.find(hubId, userId)), mark),
  );
}

export function insertKey(store: Store, { key, tokenHash }: ReturnType<typeof newKey>): Promise<KeyListing> {
  return store.transaction(async ({ keys, audit }) => {
    await keys.insert(key, tokenHash);
    await audit.insert(testAudit({ action: 'key.issued' }));
    return there(await keys.find(key.id));
  });
}

export function addUsage(store: Store, tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void> {
  return store.transaction(({ keys }) => keys.addUsage(tallies));
}

export function insertPost({ posts }: Store, post: NewPost): Promise<SequencedHub> {
  return posts.write(post, ruleOf(post));
}

/** Stores this many messages of a key at once. */
export async function insertPosts(store: Store, key: { id: string; hubId: string }, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => insertPost(store, newPost(key))));
}

/** Stores this many notes, so long that a few of them fill the buffers of a connection. */
export async function insertLongNotes(store: Store, key: { id: string; hubId: string }, count: number): Promise<void> {
  const long = () => newPost(key, { id: testIds('note'), kind: 'note', body: 'x'.repeat(190_000) });
  await Promise.all(Array.from({ length: count }, () => insertPost(store, long())));
}

export function insertItem(store: Store, item: NewItem): Promise<ItemRecord> {
  return store.transaction((tx) => storeItem(tx, item));
}

export function updateItem(
  store: Store,
  itemId: string,
  change: Parameters<typeof changeItem>[2],
): Promise<ItemRecord> {
  return store.transaction(async (tx) => changeItem(tx, there(await tx.items.find(itemId)), change));
}

export function deleteItem(store: Store, itemId: string, at: number): Promise<ItemRecord> {
  return store.transaction(async (tx) => markDeleted(tx, there(await tx.items.find(itemId)), testAudit({ at })));
}

/** Inserts a user, who then joins their Hubs. */
export async function insertUser(store: Store, { user, hubIds }: ReturnType<typeof newUser>): Promise<UserRecord> {
  await store.transaction(async ({ users, audit }) => {
    const passwordHash = `hash of ${user.id}`;
    await users.insert(user, { passwordHash, caselessName: user.id, skeletonName: user.id });
    await audit.insert(testAudit({ action: 'user.created' }));
  });
  for (const hubId of hubIds) await insertMember(store, hubId, user.id);
  return user;
}

/**
 * Makes one function of a repository reject in all later transactions, as if the disk were full. Returns a function that
 * frees space.
 */
export function failInTransactions<N extends keyof Repositories>(
  store: Store,
  noun: N,
  name: keyof Repositories[N] & string,
): () => void {
  const { transaction } = store;
  const fail = () => Promise.reject(new StoreUnavailable(new Error('disk full')));
  store.transaction = (work) => transaction((tx) => work({ ...tx, [noun]: { ...tx[noun], [name]: fail } }));
  return () => {
    store.transaction = transaction;
  };
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
