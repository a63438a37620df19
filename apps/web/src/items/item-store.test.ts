import { describe, expect, test } from 'bun:test';
import { effect } from '@preact/signals';
import { ItemStore } from './item-store.ts';
import { event, message, pruned, timeOf } from './testing/sample-items.ts';

const asOf = (seq: number) => () => seq;
const textOf = (store: ItemStore, id: string) => {
  const item = store.get(id).peek();
  return item?.kind === 'message' ? item.text : undefined;
};

const first = message(1);
const edited = message(1, { text: 'Edited', version: 2 });
const deleted = message(1, { text: null, deletedAt: timeOf(9) });

describe('of each item what reflects the later event stays', () => {
  test('a page that was asked for before an event and comes after it takes nothing back', () => {
    const store = new ItemStore();
    store.apply(event('changed', 5, edited));
    store.take([first], asOf(4));
    expect(textOf(store, first.id)).toBe('Edited');
  });

  test('a page that reflects later events is believed', () => {
    const store = new ItemStore();
    store.apply(event('created', 1, first));
    store.take([edited], asOf(5));
    expect(textOf(store, first.id)).toBe('Edited');
  });

  test('what an event has deleted, an older page does not bring back, and take does not name', () => {
    const store = new ItemStore();
    store.apply(event('deleted', 5, deleted));
    expect(store.take([first, message(2)], asOf(4)).map(({ id }) => id)).toEqual([message(2).id]);
    expect(store.get(first.id).peek()).toBeUndefined();
  });

  test('what was restored is there again, and a page from between does not take it away', () => {
    const store = new ItemStore();
    store.apply(event('created', 1, first));
    store.apply(event('deleted', 5, deleted));
    store.apply(event('restored', 7, first));
    expect(textOf(store, first.id)).toBe('Message 1');
  });

  test('a replayed deletion older than what is known takes nothing away', () => {
    const store = new ItemStore();
    store.take([first], asOf(8));
    store.apply(event('deleted', 5, deleted));
    expect(textOf(store, first.id)).toBe('Message 1');
  });

  test('a deleted message stays as a blank until its last reply is gone', () => {
    const store = new ItemStore();
    const blank = message(1, { text: null, deletedAt: timeOf(9), replyCount: 1 });
    store.apply(event('deleted', 5, blank));
    expect(store.get(first.id).peek()).toEqual(blank);
    store.apply(event('changed', 6, { ...blank, replyCount: 0 }));
    expect(store.get(first.id).peek()).toBeUndefined();
  });

  test('what was pruned, a page from before does not bring back', () => {
    const store = new ItemStore();
    store.take([first, message(2), message(3)], asOf(3));
    store.apply(pruned(4, timeOf(2)));
    expect(store.get(first.id).peek()).toBeUndefined();
    expect(store.take([first, message(2)], asOf(3)).map(({ seq }) => seq)).toEqual([2]);
    // Of another Hub, or of this one after its reset, it says nothing.
    expect(store.take([message(1, { id: 'msg_other', hubId: 'hub_2' })], asOf(3))).toHaveLength(1);
  });

  test('what was erased is gone, although its event says next to nothing', () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    const erased = { kind: 'message', id: first.id, hubId: 'hub_1', deletedAt: timeOf(9) } as const;
    store.apply({ type: 'event', hubId: 'hub_1', seq: 2, event: 'message.created', data: erased });
    expect(store.get(first.id).peek()).toBeUndefined();
  });
});

describe('an answer to what one has asked for', () => {
  test('is shown at once', () => {
    const store = new ItemStore();
    store.applyResponse(first);
    store.applyResponse(edited);
    expect(textOf(store, first.id)).toBe('Edited');
  });

  test('does not take back what others have edited since', () => {
    const store = new ItemStore();
    store.apply(event('changed', 6, message(1, { text: 'Later', version: 3 })));
    store.applyResponse(edited);
    expect(textOf(store, first.id)).toBe('Later');
  });

  test('is passed over if an event has told of the item while it was on its way', async () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    const reacted = message(1, { reactions: [{ emoji: '👍', personIds: ['per_2', 'per_1'] }] });
    const responded = await store.applyResponseOf(async () => {
      store.apply(event('changed', 3, reacted));
      return message(1, { reactions: [{ emoji: '👍', personIds: ['per_2'] }] });
    });
    expect(responded.reactions).toHaveLength(1);
    expect(store.get(first.id).peek()).toEqual(reacted);
  });

  test('counts if the events were of other items', async () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    await store.applyResponseOf(async () => {
      store.apply(event('created', 2, message(2)));
      return edited;
    });
    expect(textOf(store, first.id)).toBe('Edited');
  });

  test('that something is deleted takes it away', async () => {
    const store = new ItemStore();
    store.take([first], asOf(1));
    await store.applyResponseOf(async () => deleted);
    expect(store.get(first.id).peek()).toBeUndefined();
  });
});

describe('whoever watches an item', () => {
  test('hears when it comes, changes and goes, and of nothing else', () => {
    const store = new ItemStore();
    const seen: (string | null | undefined)[] = [];
    const stop = effect(() => {
      const item = store.get(first.id).value;
      seen.push(item?.kind === 'message' ? item.text : undefined);
    });
    store.take([first], asOf(1));
    store.apply(event('created', 2, message(2)));
    store.apply(event('changed', 3, edited));
    store.apply(event('deleted', 4, deleted));
    expect(seen).toEqual([undefined, 'Message 1', 'Edited', undefined]);
    stop();
  });
});

describe('a Hub that one has to do with no longer', () => {
  test('is forgotten with all its items, and the others stay', () => {
    const store = new ItemStore();
    const other = message(1, { id: 'msg_other', hubId: 'hub_2' });
    store.take([first, other], asOf(1));
    store.forgetHub('hub_1');
    expect(store.get(first.id).peek()).toBeUndefined();
    expect(store.get(other.id).peek()).toEqual(other);
    // Whoever comes back to it sees it again.
    store.take([first], asOf(1));
    expect(store.get(first.id).peek()).toEqual(first);
  });
});
