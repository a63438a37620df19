import { beforeEach } from 'bun:test';
import type { ItemRecord, NewItem } from '../storage/item-store.ts';
import { newItem } from './item-records.ts';
import { type OpenStoreUnderTest, storeSubject } from './store-subject.ts';
import { deleteItem, insertHub, insertItem, insertUser } from './store-writes.ts';
import { newUser } from './users-records.ts';

/** Opens a new store for each test, with a Hub whose members are Ada and Bob. Ada is the author. */
export function itemSubject(open: OpenStoreUnderTest) {
  const subject = storeSubject(open);
  const ids = { hubId: '', ada: '', bob: '' };
  beforeEach(async () => {
    ids.hubId = (await insertHub(subject.store)).id;
    ids.ada = (await insertUser(subject.store, newUser({}, [ids.hubId]))).id;
    ids.bob = (await insertUser(subject.store, newUser({ name: 'Bob Kahn' }, [ids.hubId]))).id;
  });
  const create = (over: Partial<NewItem> = {}) => insertItem(subject.store, newItem(ids.hubId, ids.ada, over));

  return {
    subject,
    ids,
    create,
    reply: (parent: ItemRecord, over: Partial<NewItem> = {}) => create({ kind: 'reply', parentId: parent.id, ...over }),
    find: async (id: string): Promise<ItemRecord> => {
      const found = await subject.store.items.find(id);
      if (!found) throw new Error(`${id} does not exist`);
      return found;
    },
    remove: (id: string, at = 200) => deleteItem(subject.store, id, at),
    events: () => subject.eventsOf(ids.hubId).map(({ event }) => event),
  };
}
