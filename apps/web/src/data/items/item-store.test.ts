import { expect, test } from 'bun:test';
import type { Item, Todo } from '@hub/contract';
import { event, message, pruned, timeOf, todo } from '../../../test/sample-items.ts';
import { ItemStore } from './item-store.ts';

const asOf = (seq: number) => () => seq;
const textOf = (store: ItemStore, id: string) => {
  const item = store.get(id).peek();
  return item?.kind === 'message' ? item.text : undefined;
};

const first = message(1);
const edited = message(1, { text: 'Edited', version: 2 });
const deleted = message(1, { text: null, deletedAt: timeOf(9) });
const blank = { ...deleted, replyCount: 1 };
const erased = { kind: 'message', id: first.id, hubId: 'hub_1', deletedAt: timeOf(9) } as const;

type Step = (store: ItemStore) => unknown;
const page =
  (seq: number, ...items: Item[]): Step =>
  (store) =>
    store.take(items, asOf(seq));
const applied =
  (...frame: Parameters<typeof event>): Step =>
  (store) =>
    store.apply(event(...frame));
const answered =
  (item: Item): Step =>
  (store) =>
    store.applyResponse(item);
const reset: Step = (store) => store.resetHubs(['hub_1']);
const created = applied('created', 1, first);
const gone = applied('deleted', 5, deleted);
const toBlank = applied('deleted', 5, blank);
const erasing = { type: 'event', hubId: 'hub_1', seq: 2, event: 'message.created', data: erased } as const;
const later = message(1, { text: 'Later', version: 3 });

test.each<[string, Step[], string | null | undefined]>([
  ['an event is not reverted by a page requested before it', [applied('changed', 5, edited), page(4, first)], 'Edited'],
  ['a deleted item stays deleted in an older page', [gone, page(4, first)], undefined],
  ['the late response to an earlier change restores no deleted item', [created, gone, answered(edited)], undefined],
  ['a restored item is there again', [created, gone, applied('restored', 7, first)], 'Message 1'],
  ['a replayed deletion that is older removes nothing', [page(8, first), gone], 'Message 1'],
  ['a deleted message with replies becomes a placeholder', [toBlank], null],
  ['a placeholder goes with its last reply', [toBlank, applied('changed', 6, { ...blank, replyCount: 0 })], undefined],
  ['an erased item, whose event has few fields, goes', [page(1, first), (store) => store.apply(erasing)], undefined],
  ['a response does not revert later edits by others', [applied('changed', 6, later), answered(edited)], 'Later'],
  // The page reflects later events of the Hub.
  ['a response is not reverted by a page that lacks it', [page(1, first), answered(edited), page(7, first)], 'Edited'],
  [
    'a restored backup may have an earlier version',
    [applied('changed', 8, edited), reset, page(2, first)],
    'Message 1',
  ],
])('%s', (_, steps, text) => {
  const store = new ItemStore();
  for (const step of steps) step(store);
  expect(textOf(store, first.id)).toBe(text);
});

test('of an older page, only the items that were neither deleted nor pruned are taken', () => {
  const other = new ItemStore();
  other.apply(event('deleted', 5, deleted));
  expect(other.take([first, message(2)], asOf(4))).toEqual([message(2)]);
  const store = new ItemStore();
  store.take([first, message(2), message(3)], asOf(3));
  store.apply(pruned(4, timeOf(2)));
  expect(store.get(first.id).peek()).toBeUndefined();
  expect(store.take([first, message(2)], asOf(3)).map(({ seq }) => seq)).toEqual([2]);
  // Pruning does not affect other Hubs, nor this one after a reset.
  expect(store.take([message(1, { id: 'msg_other', hubId: 'hub_2' })], asOf(3))).toHaveLength(1);
});

test('the response to a request is applied unless an event for the item arrived in the meantime', async () => {
  const store = new ItemStore();
  store.take([first], asOf(1));
  await store.applyResponseOf(async () => {
    store.apply(event('created', 2, message(2)));
    return edited;
  });
  expect(textOf(store, first.id)).toBe('Edited');
  const reacted = { ...edited, reactions: [{ emoji: '👍', userIds: ['per_2', 'per_1'] }] };
  const received = await store.applyResponseOf(async () => {
    store.apply(event('changed', 3, reacted));
    return edited;
  });
  expect([received, store.get(first.id).peek()]).toEqual([edited, reacted]);
});

test('a Hub that the user has left is removed with all its items, and other Hubs stay', () => {
  const store = new ItemStore();
  const other = message(1, { id: 'msg_other', hubId: 'hub_2' });
  const both = () => [first, other].map(({ id }) => store.get(id).peek());
  store.take([first, other], asOf(1));
  store.forgetHub('hub_1');
  expect(both()).toEqual([undefined, other]);
  // A response that was requested before does not bring them back.
  expect(store.take([first, other], asOf(1))).toEqual([other]);
  store.applyResponse(edited);
  expect(both()).toEqual([undefined, other]);
  // A user who returns to the Hub sees its items again.
  void store.resetHubs(['hub_1']);
  store.take([first], asOf(1));
  expect(both()).toEqual([first, other]);
});

test('a new name is shown wherever items name the user, but not in what was posted', () => {
  const ada = { id: 'per_1', name: 'Ada King' };
  const posted = { type: 'paragraph', data: { id: 'per_1', name: 'as posted' } };
  const store = new ItemStore();
  store.take([message(1, { author: { ...ada, kind: 'user', name: 'Ada' }, blocks: [posted] })], asOf(1));
  store.rename(ada);
  expect(store.get(first.id).peek()).toMatchObject({ author: { ...ada, kind: 'user' }, blocks: [posted] });
});

const OPEN: Todo = todo(1, { id: 'todo_1' });

/** Returns a store with an open to-do, a function that changes its fields, and the responses the test controls. */
function changing() {
  const store = new ItemStore();
  store.applyResponse(OPEN);
  const responses: PromiseWithResolvers<Todo>[] = [];
  const change = (fields: Partial<Todo>) =>
    store.change<Todo>(
      OPEN.id,
      (todo) => ({ ...todo, ...fields }),
      () => {
        responses.push(Promise.withResolvers<Todo>());
        return responses.at(-1)?.promise ?? Promise.reject();
      },
    );
  return { store, change, responses, shown: () => store.get(OPEN.id).value as Todo };
}

test('a change is shown immediately, sent after the one before, and replaced by the response', async () => {
  const { change, responses, shown } = changing();
  const first = change({ status: 'done' });
  const second = change({ status: 'open', priority: 'LOW' });
  expect(shown()).toMatchObject({ status: 'open', priority: 'LOW' });
  await Promise.resolve();
  expect(responses).toHaveLength(1);
  responses[0]?.resolve({ ...OPEN, status: 'done', version: 2 });
  await first;
  expect(shown()).toMatchObject({ status: 'open', priority: 'LOW' });
  responses[1]?.resolve({ ...OPEN, priority: 'HIGH', version: 3 });
  await second;
  expect(shown()).toMatchObject({ status: 'open', priority: 'HIGH' });
});

test('a change that fails is taken back, and does not hold back the next', async () => {
  const { change, responses, shown } = changing();
  const failed = change({ status: 'done' });
  const next = change({ priority: 'LOW' });
  await Promise.resolve();
  responses[0]?.reject(new Error('Not saved'));
  await expect(failed).rejects.toThrow('Not saved');
  expect(shown()).toMatchObject({ status: 'open', priority: 'LOW' });
  responses[1]?.resolve({ ...OPEN, priority: 'LOW', version: 2 });
  await next;
});

test('the response to a change that arrives after the event for a later change reverts nothing', async () => {
  const { store, change, responses, shown } = changing();
  const changed = change({ priority: 'LOW' });
  await Promise.resolve();
  const data = { ...OPEN, version: 3, priority: 'URGENT' } as const;
  store.apply({ type: 'event', hubId: 'hub_1', seq: 3, event: 'todo.changed', data });
  responses[0]?.resolve({ ...OPEN, version: 2, priority: 'LOW' });
  await changed;
  expect(shown().priority).toBe('URGENT');
});
