import { describe, expect, test } from 'bun:test';
import { event, message, pruned, timeOf } from '@hub/testkit/web/sample-items';
import { ItemStore } from './item-store.ts';

const asOf = (seq: number) => () => seq;
const textOf = (store: ItemStore, id: string) => {
  const item = store.get(id).peek();
  return item?.kind === 'message' ? item.text : undefined;
};

const first = message(1);
const edited = message(1, { text: 'Edited', version: 2 });
const deleted = message(1, { text: null, deletedAt: timeOf(9) });

describe('a stored item', () => {
  test('is not reverted by a page that was requested before an event and arrives after it', () => {
    const store = new ItemStore();
    store.apply(event('changed', 5, edited));
    store.take([first], asOf(4));
    expect(textOf(store, first.id)).toBe('Edited');
  });

  test('stays deleted when an older page contains it, and take() does not return it', () => {
    const store = new ItemStore();
    store.apply(event('deleted', 5, deleted));
    expect(store.take([first, message(2)], asOf(4)).map(({ id }) => id)).toEqual([message(2).id]);
    expect(store.get(first.id).peek()).toBeUndefined();
  });

  test('stays deleted when the response to an earlier change arrives late', () => {
    const store = new ItemStore();
    store.apply(event('created', 1, first));
    store.apply(event('deleted', 5, deleted));
    store.applyResponse(edited);
    expect(store.get(first.id).peek()).toBeUndefined();
  });

  test('is present again after it is restored', () => {
    const store = new ItemStore();
    store.apply(event('created', 1, first));
    store.apply(event('deleted', 5, deleted));
    store.apply(event('restored', 7, first));
    expect(textOf(store, first.id)).toBe('Message 1');
  });

  test('is not removed by a replayed deletion that is older', () => {
    const store = new ItemStore();
    store.take([first], asOf(8));
    store.apply(event('deleted', 5, deleted));
    expect(textOf(store, first.id)).toBe('Message 1');
  });

  test('becomes a placeholder if it is a deleted message with replies, until its last reply is deleted', () => {
    const store = new ItemStore();
    const blank = message(1, { text: null, deletedAt: timeOf(9), replyCount: 1 });
    store.apply(event('deleted', 5, blank));
    expect(store.get(first.id).peek()).toEqual(blank);
    store.apply(event('changed', 6, { ...blank, replyCount: 0 }));
    expect(store.get(first.id).peek()).toBeUndefined();
  });

  test('stays removed after pruning when an older page contains it', () => {
    const store = new ItemStore();
    store.take([first, message(2), message(3)], asOf(3));
    store.apply(pruned(4, timeOf(2)));
    expect(store.get(first.id).peek()).toBeUndefined();
    expect(store.take([first, message(2)], asOf(3)).map(({ seq }) => seq)).toEqual([2]);
    // Pruning does not affect other Hubs, nor this one after a reset.
    expect(store.take([message(1, { id: 'msg_other', hubId: 'hub_2' })], asOf(3))).toHaveLength(1);
  });

  test('is removed when it is erased, although the event has few fields', () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    const erased = { kind: 'message', id: first.id, hubId: 'hub_1', deletedAt: timeOf(9) } as const;
    store.apply({ type: 'event', hubId: 'hub_1', seq: 2, event: 'message.created', data: erased });
    expect(store.get(first.id).peek()).toBeUndefined();
  });
});

describe('the response to a request', () => {
  test('does not revert later edits by others', () => {
    const store = new ItemStore();
    store.apply(event('changed', 6, message(1, { text: 'Later', version: 3 })));
    store.applyResponse(edited);
    expect(textOf(store, first.id)).toBe('Later');
  });

  test('is not reverted by a page that was requested before the change, although the page reflects later events of the Hub', () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    store.applyResponse(edited);
    store.take([first], asOf(7));
    expect(textOf(store, first.id)).toBe('Edited');
    store.apply(event('changed', 8, edited));
    // A restored backup may contain an earlier version.
    void store.resetHubs(['hub_1']);
    store.take([first], asOf(2));
    expect(textOf(store, first.id)).toBe('Message 1');
  });

  test('is ignored if an event for the item arrived in the meantime', async () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    const reacted = message(1, { reactions: [{ emoji: '👍', userIds: ['per_2', 'per_1'] }] });
    const received = await store.applyResponseOf(async () => {
      store.apply(event('changed', 3, reacted));
      return message(1, { reactions: [{ emoji: '👍', userIds: ['per_2'] }] });
    });
    expect(received.reactions).toHaveLength(1);
    expect(store.get(first.id).peek()).toEqual(reacted);
  });

  test('is applied if only events for other items arrived in the meantime', async () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    await store.applyResponseOf(async () => {
      store.apply(event('created', 2, message(2)));
      return edited;
    });
    expect(textOf(store, first.id)).toBe('Edited');
  });
});

describe('a Hub that the user has left', () => {
  test('is removed with all its items, and other Hubs stay', () => {
    const store = new ItemStore();
    const other = message(1, { id: 'msg_other', hubId: 'hub_2' });
    store.take([first, other], asOf(1));
    store.forgetHub('hub_1');
    expect(store.get(first.id).peek()).toBeUndefined();
    expect(store.get(other.id).peek()).toEqual(other);
    // A response that was requested before does not bring them back.
    expect(store.take([first, other], asOf(1))).toEqual([other]);
    store.applyResponse(edited);
    expect(store.get(first.id).peek()).toBeUndefined();
    // A user who returns to the Hub sees its items again.
    void store.resetHubs(['hub_1']);
    store.take([first], asOf(1));
    expect(store.get(first.id).peek()).toEqual(first);
  });
});

test('a new name is shown wherever items name the user, but not in what was posted', () => {
  const ada = { id: 'per_1', name: 'Ada King' };
  const posted = { type: 'paragraph', data: { id: 'per_1', name: 'as posted' } };
  const store = new ItemStore();
  store.take([message(1, { author: { ...ada, kind: 'user', name: 'Ada' }, blocks: [posted] })], asOf(1));
  store.rename(ada);
  expect(store.get(first.id).peek()).toMatchObject({ author: { ...ada, kind: 'user' }, blocks: [posted] });
});
