import { describe, expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { event, message, timeOf, todo } from '@hub/testkit/web/sample-items';
import { bySeq } from './item.ts';
import type { ItemListOptions, Page } from './item-list.ts';
import { ItemList } from './item-list.ts';
import { ItemStore } from './item-store.ts';

const PAGE = 3;

/**
 * Starts a server with the messages of one Hub. Each response reflects the state at the time of its request and
 * arrives when the test releases it.
 */
function startPages(seqs: readonly number[]) {
  let items: Item[] = seqs.map((seq) => message(seq));
  let seq = Math.max(0, ...seqs);
  let isDown = false;
  const waiting: { what: string; response: () => void }[] = [];
  const asked = (what: string, pick: () => { items: Item[]; next: string | null }): Promise<Page> => {
    const page = {
      ...pick(),
      asOf: (
        (known) => () =>
          known
      )(seq),
    };
    const isRejected = isDown;
    return new Promise((resolve, reject) => {
      waiting.push({ what, response: () => (isRejected ? reject(new Error('The server is away')) : resolve(page)) });
    });
  };
  const older = (before: number) => {
    const found = items.filter((item) => item.seq < before).sort((one, other) => other.seq - one.seq);
    return { items: found.slice(0, PAGE), next: found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null };
  };
  const newer = (after: number) => {
    const found = items.filter((item) => item.seq > after).sort(bySeq);
    return { items: found.slice(0, PAGE), next: found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null };
  };
  const seqOf = (id: string) => Number(id.slice(-4));
  const options: ItemListOptions = {
    holds: (item) => item.kind === 'message' && item.hubId === 'hub_1',
    order: bySeq,
    hubId: 'hub_1',
    load: (before) => asked(`before ${before ?? 'now'}`, () => older(before === null ? Infinity : seqOf(before))),
    middle: {
      upTo: (id) => asked(`up to ${id}`, () => older(seqOf(id) + 1)),
      after: (id) => asked(`after ${id}`, () => newer(seqOf(id))),
    },
  };
  return {
    options,
    waiting,
    post: () => {
      seq += 1;
      items.push(message(seq));
      return event('created', seq, message(seq));
    },
    change: (which: number, fields: object) => {
      seq += 1;
      items = items.map((item) => (item.seq === which ? ({ ...item, ...fields } as Item) : item));
      return event('changed', seq, message(which, fields));
    },
    remove: (which: number) => {
      seq += 1;
      items = items.filter((item) => item.seq !== which);
      return event('deleted', seq, message(which, { deletedAt: timeOf(seq), text: null }));
    },
    restore: (which: number) => {
      seq += 1;
      items.push(message(which));
      return event('restored', seq, message(which));
    },
    setDown: (isNow: boolean) => {
      isDown = isNow;
    },
    restart: (others: Item[]) => {
      items = others;
      seq = Math.max(...others.map((item) => item.seq));
    },
    respondToAll: async () => {
      for (const { response } of waiting.splice(0)) response();
      await settle();
    },
  };
}

/** Waits until all pending microtasks have run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}

const seqs = (list: ItemList) => list.items.peek().map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

async function open(last: number, around: string | null = null) {
  const store = new ItemStore();
  const server = startPages(upTo(last));
  const list = new ItemList(store, server.options, around);
  await server.respondToAll();
  return { store, server, list };
}

test('a list shows known items that belong to it until the first page arrives', async () => {
  const server = startPages([1, 2, 3]);
  const list = new ItemList(new ItemStore(), { ...server.options, initialItems: [message(3), todo(4), message(2)] });
  expect(seqs(list)).toEqual([2, 3]);
  expect(list.state.peek().status).toBe('loading');
  await server.respondToAll();
  expect(seqs(list)).toEqual([1, 2, 3]);
});

test('a list shows no known items once its first page could not be loaded, since there may be others between them', async () => {
  const server = startPages([1, 2, 3]);
  server.options.load = () => Promise.reject(new Error('no connection'));
  const list = new ItemList(new ItemStore(), { ...server.options, initialItems: [message(3), message(1)] });
  await settle();
  expect([list.state.peek().status, seqs(list)]).toEqual(['failed', []]);
});

describe('a list at the newest page', () => {
  test('shows the newest items, oldest first, and then each new one', async () => {
    const { store, server, list } = await open(5);
    expect(seqs(list)).toEqual([3, 4, 5]);
    store.apply(server.post());
    expect(seqs(list)).toEqual([3, 4, 5, 6]);
    expect(list.hasOlder.peek()).toBe(true);
  });

  test('shows an item that arrived during loading only once, whether or not the page contains it', async () => {
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

  test('ignores items of other kinds and other Hubs', async () => {
    const { store, list } = await open(2);
    store.apply(event('created', 3, todo(3)));
    store.apply(event('created', 3, message(3, { hubId: 'hub_2' })));
    expect(seqs(list)).toEqual([1, 2]);
  });

  test('does not show an item that was deleted while the page was loading', async () => {
    const store = new ItemStore();
    const server = startPages([1, 2]);
    const list = new ItemList(store, server.options);
    store.apply(server.remove(2));
    await server.respondToAll();
    expect(seqs(list)).toEqual([1]);
  });
});

describe('loading older pages', () => {
  test('loads one page after another until there are no more', async () => {
    const { server, list } = await open(8);
    void list.loadOlder();
    // A second request for the same page would be useless.
    void list.loadOlder();
    expect(server.waiting).toHaveLength(1);
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
    void list.loadOlder();
    await server.respondToAll();
    expect(seqs(list)).toEqual(upTo(8));
    expect(list.hasOlder.peek()).toBe(false);
  });

  test('leaves no gap when an item before the loaded pages changes, and adds it once, with its page', async () => {
    const { store, server, list } = await open(8);
    store.apply(server.change(2, { text: 'Edited' }));
    expect(seqs(list)).toEqual([6, 7, 8]);
    void list.loadOlder();
    await server.respondToAll();
    void list.loadOlder();
    await server.respondToAll();
    expect(seqs(list)).toEqual(upTo(8));
  });

  test('shows an item that was restored after its page was requested', async () => {
    const { store, server, list } = await open(8);
    store.apply(server.remove(4));
    void list.loadOlder();
    store.apply(server.restore(4));
    await server.respondToAll();
    expect(seqs(list)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  });

  test('keeps the loaded items after a failure and can be retried', async () => {
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

describe('a list that begins in the middle', () => {
  test('shows the item with the items before and after it, and loads more on both sides', async () => {
    const { server, list } = await open(12, message(6).id);
    expect(seqs(list)).toEqual([4, 5, 6, 7, 8, 9]);
    expect([list.hasOlder.peek(), list.hasNewer.peek()]).toEqual([true, true]);
    void list.loadNewer();
    await server.respondToAll();
    expect(seqs(list)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(list.hasNewer.peek()).toBe(false);
  });

  test('holds back items beyond its end until the pages in between are loaded', async () => {
    const { store, server, list } = await open(10, message(5).id);
    void list.loadNewer();
    // The page was requested before this item arrived, and claims to be the last one.
    store.apply(server.post());
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('does not show an item beyond its end that was deleted in the meantime', async () => {
    const { store, server, list } = await open(10, message(5).id);
    store.apply(server.post());
    void list.loadNewer();
    store.apply(server.remove(11));
    await server.respondToAll();
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe('reloading', () => {
  test('keeps the shown items until the response arrives, and the items that arrived in the meantime', async () => {
    const { store, server, list } = await open(4);
    void list.reload();
    store.apply(server.post());
    expect(seqs(list)).toEqual([2, 3, 4, 5]);
    await server.respondToAll();
    expect(seqs(list)).toEqual([2, 3, 4, 5]);
  });

  test('ignores an older page that was requested before the reload, since it would leave a gap', async () => {
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
});

describe('a reset', () => {
  test('replaces all known items with those from the server, even if their event numbers are lower', async () => {
    const { store, server, list } = await open(40);
    server.restart([message(1), message(2, { text: 'Of the backup' }), message(3)]);
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(seqs(list)).toEqual([1, 2, 3]);
    store.apply(server.post());
    expect(seqs(list)).toEqual([1, 2, 3, 4]);
  });

  test('removes items that are no longer in any list, even where they are shown on their own', async () => {
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

  test('fails if a list cannot be loaded, keeps the previous items and can be retried', async () => {
    const { store, server, list } = await open(3);
    server.setDown(true);
    const failed = store.resetHubs(['hub_1']).catch((error: Error) => error.message);
    await server.respondToAll();
    expect(await failed).toBe('Failed to reload the lists of hub_1.');
    expect(seqs(list)).toEqual([1, 2, 3]);
    server.setDown(false);
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(list.state.peek()).toEqual({ status: 'ready' });
  });

  test('keeps the position of a reader who is not at the newest items', async () => {
    const { store, server, list } = await open(12, message(5).id);
    list.readerAt = () => message(5).id;
    const done = store.resetHubs(['hub_1']);
    await server.respondToAll();
    await done;
    expect(seqs(list)).toEqual([3, 4, 5, 6, 7, 8]);
  });
});

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

test('a list of several Hubs does not get back the items of a Hub that was lost while a page of them was loading', async () => {
  const store = new ItemStore();
  const server = startPages([1, 2, 3, 4, 5]);
  const { hubId: _, ...options } = server.options;
  const list = new ItemList(store, options);
  await server.respondToAll();
  void list.loadOlder();
  store.forgetHub('hub_1');
  await server.respondToAll();
  expect([seqs(list), list.older.peek().status]).toEqual([[], 'ready']);
});
