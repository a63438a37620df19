import { expect, test } from 'bun:test';
import { ItemList } from './item-list.ts';
import { ItemStore } from './item-store.ts';
import { settle, startPages } from './testing/page-server.ts';
import { event, message } from './testing/sample-items.ts';

const seqs = (list: ItemList) => list.items.peek().map(({ seq }) => seq);

/** Requests a list that reflects the second event. The test decides when its response arrives. */
function ask() {
  const store = new ItemStore();
  const server = startPages([1, 2]);
  return { store, server, list: new ItemList(store, server.options) };
}

test('a list loaded before its Hub was followed also gets the items posted in between', async () => {
  const { store, server, list } = ask();
  await server.respondToAll();
  server.post();
  store.followFrom('hub_1', 3);
  await server.respondToAll();
  store.apply(server.post());
  expect(seqs(list)).toEqual([1, 2, 3, 4]);
});

test('a list still loading when its Hub was followed also gets the items posted in between', async () => {
  const { store, server, list } = ask();
  server.post();
  store.followFrom('hub_1', 3);
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2]);
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2, 3]);
  expect(server.waiting).toEqual([]);
});

test('a list that cannot have missed anything is not requested again', async () => {
  const { store, server, list } = ask();
  store.followFrom('hub_1', 2);
  await server.respondToAll();
  store.followFrom('hub_1', 2);
  store.followFrom('hub_2', 9);
  expect(server.waiting).toEqual([]);
  server.post();
  void list.reload();
  store.followFrom('hub_1', 3);
  await server.respondToAll();
  expect([seqs(list), server.waiting]).toEqual([[1, 2, 3], []]);
});

test('a list of several Hubs is requested again at most once per Hub, even if its page covers only one', async () => {
  const store = new ItemStore();
  let asked = 0;
  const page = () => {
    asked += 1;
    return Promise.resolve({ items: [message(1)], next: null, asOf: (hubId: string) => (hubId === 'hub_1' ? 1 : 0) });
  };
  const list = new ItemList(store, { holds: () => true, order: (one, other) => one.seq - other.seq, load: page });
  await settle();
  for (const hubId of ['hub_1', 'hub_2']) store.followFrom(hubId, 1);
  await settle();
  expect(asked).toBe(2);
  store.apply(event('created', 2, message(2)));
  expect(seqs(list)).toEqual([1, 2]);
});
