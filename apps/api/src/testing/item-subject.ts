import { beforeEach } from 'bun:test';
import type { ItemRecord, NewItem } from '../storage/item-store.ts';
import { newItem } from './item-records.ts';
import { testAudit } from './store-records.ts';
import { type OpenStoreUnderTest, storeSubject } from './store-subject.ts';
import { insertHub } from './store-writes.ts';
import { newUser } from './users-records.ts';

/** Opens a new store for each test, with a Hub whose members are Ada and Bob. Ada is the author. */
export function itemSubject(open: OpenStoreUnderTest) {
  const subject = storeSubject(open);
  const ids = { hubId: '', ada: '', bob: '' };
  beforeEach(async () => {
    ids.hubId = (await insertHub(subject.store)).id;
    ids.ada = (await subject.users.create(newUser({}, [ids.hubId]))).id;
    ids.bob = (await subject.users.create(newUser({ name: 'Bob Kahn' }, [ids.hubId]))).id;
  });
  const create = (over: Partial<NewItem> = {}) => subject.store.items.create(newItem(ids.hubId, ids.ada, over));

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
    remove: (id: string, at = 200) => subject.store.items.delete({ itemId: id, at, audit: testAudit() }),
    react: (itemId: string, personId: string, isOn = true) =>
      subject.store.items.react({ itemId, emoji: '👍', personId, at: 150, isOn }),
    /** Converts a message as Bob, to a to-do by default. */
    convert: (messageId: string, over: Partial<NewItem> = {}) =>
      subject.store.items.convert({
        messageId,
        item: newItem(ids.hubId, ids.bob, { kind: 'todo', title: 'T', ...over }),
      }),
    events: () => subject.eventsOf(ids.hubId).map(({ event }) => event),
  };
}
