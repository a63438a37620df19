import { expect, test } from 'bun:test';
import { ItemList } from './item-list.ts';
import { ItemStore } from './item-store.ts';
import { settle, startPages } from './testing/page-server.ts';
import { event, message } from './testing/sample-items.ts';

const seqs = (list: ItemList) => list.items.peek().map(({ seq }) => seq);

/** A list that was asked for at the second event, whichever way its answer comes. */
function ask() {
  const store = new ItemStore();
  const server = startPages([1, 2]);
  return { store, server, list: new ItemList(store, server.options) };
}

test('a list that was there before its Hub was followed gets what came between, too', async () => {
  const { store, server, list } = ask();
  await server.respondToAll();
  server.post();
  store.followFrom('hub_1', 3);
  await server.respondToAll();
  store.apply(server.post());
  expect(seqs(list)).toEqual([1, 2, 3, 4]);
});

test('so does one that was on its way then', async () => {
  const { store, server, list } = ask();
  server.post();
  store.followFrom('hub_1', 3);
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2]);
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2, 3]);
  expect(server.waiting).toEqual([]);
});

test('nothing is asked for again where nothing can be missing', async () => {
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

test('a list of many Hubs asks once more at most for each, though its page tells nothing of one', async () => {
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
