import { expect, test } from 'bun:test';
import type { EventFrame, Item } from '@hub/contract';
import { event, message, timeOf, todo } from '../../../test/sample-items.ts';
import { bySeq } from './item.ts';
import { ItemList, type ItemListOptions, type Page } from './item-list.ts';
import { ItemStore } from './item-store.ts';

const PAGE = 3;

/** A list over a server with messages 1 to `last` of one Hub. Responses reflect the time of their request. */
function start(last: number) {
  const store = new ItemStore();
  const server = { items: range(1, last), seq: last, isDown: false, waiting: [] as (() => void)[] };
  const asked = (pick: (item: Item) => boolean, order: typeof bySeq): Promise<Page> => {
    const { seq, isDown } = server;
    const matches = server.items.filter(pick).sort(order);
    const next = matches.length > PAGE ? (matches[PAGE - 1]?.id ?? null) : null;
    return new Promise((resolve, reject) => {
      server.waiting.push(() =>
        isDown
          ? reject(new Error('The server is away'))
          : resolve({ items: matches.slice(0, PAGE), next, asOf: () => seq }),
      );
    });
  };
  const newestFirst: typeof bySeq = (one, other) => bySeq(other, one);
  const before = (seq: number) => asked((item) => item.seq < seq, newestFirst);
  const options: ItemListOptions = {
    holds: ({ kind, hubId }) => kind === 'message' && hubId === 'hub_1',
    order: bySeq,
    hubId: 'hub_1',
    load: (id) => before(id === null ? Infinity : seqOf(id)),
    middle: { upTo: (id) => before(seqOf(id) + 1), after: (id) => asked(({ seq }) => seq > seqOf(id), bySeq) },
  };
  return { store, server, options };
}

const seqOf = (id: string) => Number(id.slice(-4));
const range = (from: number, to: number): Item[] => Array.from({ length: to - from + 1 }, (_, n) => message(from + n));

/** Waits until all pending microtasks have run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}

/** "failed:…4-9…": the state, unless it is ready, and the numbers shown; "…" where the server has more. */
function shown({ items, state, older, newer, hasOlder, hasNewer }: ItemList): string {
  const seqs = items.peek().map(({ seq }) => seq);
  const isGapless = seqs.length > 1 && seqs.every((seq, index) => seq === (seqs[0] ?? 0) + index);
  const status = [state, older, newer].map((each) => each.peek().status).find((each) => each !== 'ready');
  const numbers = isGapless ? `${seqs[0]}-${seqs.at(-1)}` : seqs.join();
  return `${status ? `${status}:` : ''}${hasOlder.peek() ? '…' : ''}${numbers}${hasNewer.peek() ? '…' : ''}`;
}

/** Runs steps of which each requests something, changes something on the server, or "=" expects what the list shows. */
async function run(last: number, steps: string) {
  const { store, server, options } = start(last);
  let list: ItemList | undefined;
  let missed: EventFrame | undefined;
  const late: (() => void)[] = [];
  const next = () => {
    server.seq += 1;
    return server.seq;
  };
  const add = () => {
    const item = message(next());
    server.items.push(item);
    return event('created', item.seq, item);
  };
  const current = () => {
    list ??= new ItemList(store, options);
    return list;
  };
  const take: Record<string, (seq: number) => unknown> = {
    known: () => Object.assign(options, { initialItems: [message(3), todo(4), message(1)] }),
    several: () => Reflect.deleteProperty(options, 'hubId'),
    ask: current,
    around: (seq) => {
      list = new ItemList(store, options, message(seq).id);
    },
    older: () => void current().loadOlder(),
    newer: () => void current().loadNewer(),
    reload: () => void current().reload(),
    reset: () => void store.resetHubs(['hub_1']).catch(() => {}),
    reader: (seq) => Object.assign(current(), { readerAt: () => message(seq).id }),
    /** The next responses arrive now, or with `late`. */
    answer: () => server.waiting.splice(0).map((respond) => respond()),
    hold: () => late.push(...server.waiting.splice(0)),
    late: () => late.splice(0).map((respond) => respond()),
    pending: (count) => expect(server.waiting).toHaveLength(count),
    down: () => (server.isDown = true),
    up: () => (server.isDown = false),
    post: () => store.apply(add()),
    /** Without an event until it is sent again. */
    miss: () => (missed = add()),
    replay: () => missed && store.apply(missed),
    other: () => [todo(9), message(9, { hubId: 'hub_2' })].map((item) => store.apply(event('created', 9, item))),
    edit: (seq) => store.apply(event('changed', next(), message(seq, { text: 'Edited' }))),
    delete: (seq) => {
      server.items = server.items.filter((item) => item.seq !== seq);
      store.apply(event('deleted', next(), message(seq, { deletedAt: timeOf(seq), text: null })));
    },
    restore: (seq) => {
      server.items.push(message(seq));
      store.apply(event('restored', next(), message(seq)));
    },
    backup: (seq) => Object.assign(server, { items: range(1, seq), seq }),
    follow: (seq) => store.followFrom('hub_1', seq),
    forget: () => store.forgetHub('hub_1'),
  };
  for (const step of steps.split(' ')) {
    const [name = '', seq] = step.split(':');
    if (step.startsWith('=')) expect([steps, shown(current())]).toEqual([steps, step.slice(1)]);
    else if (take[name]) take[name](Number(seq));
    else throw new Error(`No step ${step}`);
    await settle();
  }
  return { store, list: current() };
}

test.each([
  // At the newest page.
  ['the newest items, and then each new one, of its kind and Hub', 5, 'ask answer =…3-5 post =…3-6 other =…3-6'],
  ['known items that belong to it until the first page arrives', 3, 'known ask =loading:…1,3 answer =1-3'],
  ['no known items if that page failed, since there may be others between them', 3, 'known down ask answer =failed:…'],
  ['an item that arrived during loading once', 2, 'miss ask replay post answer =1-4 replay =1-4'],
  ['no item that was deleted while the page was loading', 2, 'ask delete:2 answer =1'],
  // Older pages.
  ['one older page after the other', 8, 'ask answer older older pending:1 answer =…3-8 older answer =1-8'],
  ['no page after the oldest', 5, 'ask answer older answer =1-5 older pending:0'],
  ['an earlier item that changed with its page', 8, 'ask answer edit:2 =…6-8 older answer older answer =1-8'],
  ['an item restored after its page was requested', 8, 'ask answer delete:4 older restore:4 answer =…2-8'],
  ['its items after a failure', 8, 'ask answer down older answer =failed:…6-8 up older answer =…3-8'],
  // From the middle.
  ['an item with those around it, and more on both sides', 12, 'around:6 answer =…4-9… newer answer =…4-12'],
  ['no item beyond its end before those between', 10, 'around:5 answer newer post =loading:…3-8… answer =…3-11'],
  ['no item beyond its end that was deleted', 10, 'around:5 answer post newer delete:11 answer =…3-10'],
  // Reloaded.
  ['its items and new ones while it reloads', 4, 'ask answer reload post =loading:…2-5 answer =…2-5'],
  ['no older page from before a reload', 9, 'ask answer older hold reload older pending:1 answer late =…7-9'],
  // A restored backup has lower event numbers.
  ['only what the server has after a reset', 40, 'ask answer backup:3 reset answer =1-3 post =1-4'],
  ['its items when a reset fails', 3, 'ask answer down reset answer =failed:1-3 up reset answer =1-3'],
  ['the items around a reader after a reset', 12, 'around:5 answer reader:5 reset answer =…3-8…'],
  // Whose Hub is followed from a later event on.
  ['what was posted before its Hub was followed', 2, 'ask answer miss follow:3 answer post =1-4'],
  ['the same while it was loading', 2, 'ask miss follow:3 answer =loading:1-2 answer =1-3 pending:0'],
  ['what it has without a request if it missed nothing', 2, 'ask follow:2 answer follow:2 pending:0 =1-2'],
  ['what a reload under way brings', 2, 'ask answer miss reload follow:3 answer =1-3 pending:0'],
  ['nothing of a Hub that was lost while a page was loading', 5, 'several ask answer older forget answer ='],
])('a list shows %s', async (_, last, steps) => void (await run(last, steps)));

test('a reset removes items that are in no list anymore, even where they are shown on their own, or fails', async () => {
  const { store, server, options } = start(3);
  const list = new ItemList(store, options);
  const answer = async () => {
    for (const respond of server.waiting.splice(0)) respond();
    await settle();
  };
  await answer();
  store.take([message(9)], () => 9);
  server.isDown = true;
  const failed = store.resetHubs(['hub_1']).catch((error: Error) => error.message);
  await answer();
  expect(await failed).toBe('Failed to reload the lists of hub_1.');
  Object.assign(server, { isDown: false, items: range(1, 2) });
  const done = store.resetHubs(['hub_1']);
  await answer();
  await done;
  const kept = [9, 3].map((seq) => store.get(message(seq).id).peek());
  expect([shown(list), ...kept]).toEqual(['1-2', undefined, undefined]);
});
