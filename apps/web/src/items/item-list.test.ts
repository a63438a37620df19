import { describe, expect, test } from 'bun:test';
import { ItemList } from './item-list.ts';
import { ItemStore } from './item-store.ts';
import { settle, startPages } from './testing/page-server.ts';
import { event, message, pruned, timeOf, todo } from './testing/sample-items.ts';

const seqs = (list: ItemList) => list.items.peek().map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

async function open(last: number, around: string | null = null) {
  const store = new ItemStore();
  const server = startPages(upTo(last));
  const list = new ItemList(store, server.options, around);
  await server.respondToAll();
  return { store, server, list };
}

test('what is known already stands there until the first page comes, if it belongs there', async () => {
  const server = startPages([1, 2, 3]);
  const list = new ItemList(new ItemStore(), { ...server.options, known: [message(3), todo(4), message(2)] });
  expect(seqs(list)).toEqual([2, 3]);
  expect(list.state.peek().status).toBe('loading');
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2, 3]);
});

describe('the newest page and what comes', () => {
  test('shows the newest, oldest first, and then each that is new', async () => {
    const { store, server, list } = await open(5);
    expect(seqs(list)).toEqual([3, 4, 5]);
    store.apply(server.post());
    expect(seqs(list)).toEqual([3, 4, 5, 6]);
    expect(list.hasOlder.peek()).toBe(true);
  });

  test('shows what came while the page was on its way, once, whether the page has it or not', async () => {
    const store = new ItemStore();
    const server = startPages([1, 2]);
    const early = server.post();
    const list = new ItemList(store, server.options);
    store.apply(early);
    store.apply(server.post());
    await server.respondToAll();
    expect(seqs(list)).toEqual([1, 2, 3, 4]);
    store.apply(early);
    expect(seqs(list)).toEqual([1, 2, 3, 4]);
  });

  test('takes no other kind and no other Hub', async () => {
    const { store, list } = await open(2);
    store.apply(event('created', 3, todo(3)));
    store.apply(event('created', 3, message(3, { hubId: 'hub_2' })));
    expect(seqs(list)).toEqual([1, 2]);
  });

  test('does not show what was deleted while the page was on its way', async () => {
    const store = new ItemStore();
    const server = startPages([1, 2]);
    const list = new ItemList(store, server.options);
    store.apply(server.remove(2));
    await server.respondToAll();
    expect(seqs(list)).toEqual([1]);
  });

  test('does not show what was pruned while the page was on its way', async () => {
    const store = new ItemStore();
    const server = startPages([1, 2, 3]);
    const list = new ItemList(store, server.options);
    store.apply(pruned(4, timeOf(3)));
    await server.respondToAll();
    expect(seqs(list)).toEqual([3]);
  });
});

describe('older pages', () => {
  test('come one after the other until there are no more', async () => {
    const { server, list } = await open(8);
    void list.loadOlder();
    // A second request for the same page would be for nothing.
    void list.loadOlder();
    expect(server.waiting).toHaveLength(1);
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
    void list.loadOlder();
    await server.respondToAll();
    expect(seqs(list)).toEqual(upTo(8));
    expect(list.hasOlder.peek()).toBe(false);
  });

  test('whoever asks while one is under way gets it, too, and not nothing at once', async () => {
    const { server, list } = await open(8);
    void list.loadOlder();
    let isThere = false;
    const second = list.loadOlder().then(() => {
      isThere = true;
    });
    await settle();
    expect(isThere).toBe(false);
    await server.respondToAll();
    await second;
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test('a change of something older than all that is loaded makes no hole, and its page brings it once', async () => {
    const { store, server, list } = await open(8);
    store.apply(server.change(2, { text: 'Edited' }));
    expect(seqs(list)).toEqual([6, 7, 8]);
    void list.loadOlder();
    await server.respondToAll();
    void list.loadOlder();
    await server.respondToAll();
    expect(seqs(list)).toEqual(upTo(8));
  });

  test('what was restored after its page was asked for is there all the same', async () => {
    const { store, server, list } = await open(8);
    store.apply(server.remove(4));
    void list.loadOlder();
    store.apply(server.restore(4));
    await server.respondToAll();
    expect(seqs(list)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  test('a failure leaves what is there and can be tried again', async () => {
    const { server, list } = await open(8);
    server.setDown(true);
    void list.loadOlder();
    await server.respondToAll();
    expect(list.older.peek()).toEqual({ status: 'failed', text: 'The server is away' });
    server.setDown(false);
    void list.loadOlder();
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(list.older.peek()).toEqual({ status: 'ready' });
  });
});

describe('beginning in the middle', () => {
  test('shows the item with what is before and after it, and goes on to both sides', async () => {
    const { server, list } = await open(12, message(6).id);
    expect(seqs(list)).toEqual([4, 5, 6, 7, 8, 9]);
    expect([list.hasOlder.peek(), list.hasNewer.peek()]).toEqual([true, true]);
    void list.loadNewer();
    await server.respondToAll();
    expect(seqs(list)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(list.hasNewer.peek()).toBe(false);
  });

  test('what comes beyond its end waits until the pages between are there', async () => {
    const { store, server, list } = await open(10, message(5).id);
    void list.loadNewer();
    // The page was asked for before this one came, and says that it is the last.
    store.apply(server.post());
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('what came and was deleted again meanwhile does not appear', async () => {
    const { store, server, list } = await open(10, message(5).id);
    store.apply(server.post());
    void list.loadNewer();
    store.apply(server.remove(11));
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('leads to the newest when it is loaded anew', async () => {
    const { server, list } = await open(12, message(2).id);
    void list.reload(null);
    await server.respondToAll();
    expect(seqs(list)).toEqual([10, 11, 12]);
    expect(list.hasNewer.peek()).toBe(false);
  });
});

describe('loading anew', () => {
  test('keeps what is shown until the answer is there, and what came meanwhile', async () => {
    const { store, server, list } = await open(4);
    void list.reload();
    store.apply(server.post());
    expect(seqs(list)).toEqual([2, 3, 4, 5]);
    await server.respondToAll();
    expect(seqs(list)).toEqual([2, 3, 4, 5]);
  });

  test('an older page that comes after it is not heard: it would leave a hole', async () => {
    const { server, list } = await open(9);
    void list.loadOlder();
    const [late] = server.waiting.splice(0);
    void list.reload();
    void list.loadOlder();
    expect(server.waiting).toHaveLength(1);
    await server.respondToAll();
    late?.response();
    await settle();
    expect(seqs(list)).toEqual([7, 8, 9]);
  });

  test('of two, the later one counts', async () => {
    const { server, list } = await open(9);
    void list.reload(message(2).id);
    const early = server.waiting.splice(0);
    void list.reload(null);
    await server.respondToAll();
    for (const { response } of early) response();
    await settle();
    expect(seqs(list)).toEqual([7, 8, 9]);
  });
});

describe('a reset', () => {
  test('replaces all that was known by what the server has, also if its numbers are lower than before', async () => {
    const { store, server, list } = await open(40);
    server.restart([message(1), message(2, { text: 'Of the backup' }), message(3)]);
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(seqs(list)).toEqual([1, 2, 3]);
    store.apply(server.post());
    expect(seqs(list)).toEqual([1, 2, 3, 4]);
  });

  test('takes away what no list has any more, also where it is shown alone', async () => {
    const { store, server, list } = await open(3);
    store.take([message(9)], () => 9);
    server.restart([message(1), message(2)]);
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(seqs(list)).toEqual([1, 2]);
    expect(store.get(message(9).id).peek()).toBeUndefined();
    expect(store.get(message(3).id).peek()).toBeUndefined();
  });

  test('leaves the lists of other Hubs alone', async () => {
    const { store, server } = await open(3);
    await store.resetHubs(['hub_2']);
    expect(server.waiting).toHaveLength(0);
  });

  test('of a list that begins anew once more meanwhile has been loaded when that is done, and as it is done', async () => {
    for (const isDown of [false, true]) {
      const { store, server, list } = await open(3);
      const ends: string[] = [];
      const reset = store.resetHubs(['hub_1']).then(
        () => ends.push('loaded'),
        () => ends.push('failed'),
      );
      server.setDown(isDown);
      void list.reload();
      server.waiting.shift()?.response();
      await settle();
      expect([ends, seqs(list)]).toEqual([[], [1, 2, 3]]);
      await server.respondToAll();
      await reset;
      expect([ends, seqs(list)]).toEqual([[isDown ? 'failed' : 'loaded'], [1, 2, 3]]);
    }
  });

  test('fails if a list could not be loaded, so that it is tried again, and shows what there was until then', async () => {
    const { store, server, list } = await open(3);
    server.setDown(true);
    const failed = store.resetHubs(['hub_1']).catch((error: Error) => error.message);
    await server.respondToAll();
    expect(await failed).toBe('The lists of hub_1 could not be loaded anew.');
    expect(seqs(list)).toEqual([1, 2, 3]);
    server.setDown(false);
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(list.state.peek()).toEqual({ status: 'ready' });
  });

  test('keeps the place of a reader who is not at the newest', async () => {
    const { store, server, list } = await open(12, message(5).id);
    list.readerAt = () => message(5).id;
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
  });
});

describe('a list that is shown no more', () => {
  test('hears of nothing', async () => {
    const { store, server, list } = await open(2);
    void list.reload();
    list.dispose();
    store.apply(server.post());
    await server.respondToAll();
    expect(seqs(list)).toEqual([1, 2]);
  });
});
