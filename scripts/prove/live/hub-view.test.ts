import { expect, test } from 'bun:test';
import type { EventFrame, Item } from '@hub/contract';
import { checkViews, FreshHub } from './check.ts';
import { HubView, Records } from './hub-view.ts';

const HUB = 'hub_1';

const item = (id: string, fields: object = {}): Item =>
  ({ kind: 'message', id, hubId: HUB, createdAt: '2026-01-01', deletedAt: null, replyCount: 0, ...fields }) as Item;

const event = (seq: number, name = 'message.created', data: Item = item(`msg_${seq}`)): EventFrame =>
  ({ type: 'event', hubId: HUB, seq, event: name, data }) as EventFrame;

function startView(usesLibrary = false) {
  const records = new Records();
  return { view: new HubView(HUB, records, { usesLibrary }), records };
}

/**
 * Returns the problems that the proof reports for a view that received these events, given the state after a fresh
 * load.
 */
function check(events: readonly EventFrame[], items: readonly Item[], newest: number) {
  const { view, records } = startView();
  for (const each of events) view.take(each);
  const fresh = new Map([[HUB, new FreshHub({ items, seq: newest })]]);
  const reader = { name: 'a reader', views: [view], isFollowing: true, cut: () => {}, stop: () => {} };
  const acknowledged = new Map(items.map(({ id }) => [id, HUB]));
  const { missing, unequal, miscounted } = checkViews([reader], fresh, { acknowledged, records });
  const { missed, twice, outOfOrder } = records.sums;
  return { missed: missed + missing, twice, outOfOrder, unequal: unequal.length, miscounted: miscounted.length };
}

const SOUND = { missed: 0, twice: 0, outOfOrder: 0, unequal: 0, miscounted: 0 };
const three = [event(1), event(2), event(3)];
const loaded = [item('msg_1'), item('msg_2'), item('msg_3')];

test('a complete and ordered view has no findings', () => {
  expect(check(three, loaded, 3)).toEqual(SOUND);
});

test('an omitted event is reported as missed', () => {
  expect(check([event(1), event(3)], loaded, 3)).toMatchObject({ missed: 1, unequal: 1, miscounted: 1 });
  expect(check([event(1), event(2)], loaded, 3)).toMatchObject({ missed: 1, unequal: 1, miscounted: 1 });
});

test('a repeated event is reported as received twice, and a late one as out of order', () => {
  expect(check([...three, event(2)], loaded, 3)).toEqual({ ...SOUND, twice: 1 });
  expect(check([event(1), event(3), event(2)], loaded, 3)).toMatchObject({ missed: 0, outOfOrder: 1 });
});

test('an item created by two events is reported as miscounted', () => {
  const again = [...three, event(4, 'message.created', item('msg_2'))];
  expect(check(again, loaded, 4)).toEqual({ ...SOUND, miscounted: 1 });
});

test('a state that differs in one field is reported as unequal', () => {
  const changed = event(4, 'message.changed', item('msg_2', { text: 'Changed' }));
  expect(check([...three, changed], loaded, 4)).toEqual({ ...SOUND, unequal: 1 });
});

test('a deleted message disappears unless it has replies, with or without the client library', () => {
  for (const usesLibrary of [false, true]) {
    const { view } = startView(usesLibrary);
    for (const each of three) view.take(each);
    view.take(event(4, 'message.deleted', item('msg_1', { deletedAt: '2026-01-02' })));
    view.take(event(5, 'message.deleted', item('msg_2', { deletedAt: '2026-01-02', replyCount: 1 })));
    expect([...view.items.keys()]).toEqual(['msg_2', 'msg_3']);
  }
});

test('a reader that resumes from an older number must receive every event after it again', () => {
  const { view, records } = startView();
  for (const each of three) view.take(each);
  view.follows(1);
  expect(view.hasAll(3)).toBe(false);
  view.take(event(2));
  view.take(event(3));
  expect(view.hasAll(3)).toBe(true);
  expect(records.sums).toMatchObject({ missed: 0, twice: 0, outOfOrder: 0 });
  view.take(event(5));
  expect(view.missing(5)).toBe(1);
});

test('after a reset, the list replaces earlier events, and later events are applied to it', () => {
  const { view, records } = startView();
  view.take(event(1));
  view.reset(5);
  for (const seq of [6, 7, 8]) view.take(event(seq));
  view.loaded({ items: [item('msg_7')], seq: 7, epoch: 'epo_1' }, 'reset');
  expect([...view.items.keys()]).toEqual(['msg_7', 'msg_8']);
  expect(view).toMatchObject({ position: 8, jumps: [[1, 7]] });
  expect(records.sums).toMatchObject({ missed: 0, twice: 0, outOfOrder: 0 });
});
