import { describe, expect, test } from 'bun:test';
import type { EventFrame, Hub, Item, ReadMark, UnreadState } from '@hub/contract';
import { event, message } from '@hub/testkit/web/sample-items';
import {
  isBehindMark,
  isReadFurther,
  readAll,
  readStateOf,
  unreadAfter,
  withCounted,
  withListed,
  withOneLess,
  withOneMore,
  withUnreadState,
} from './read-state.ts';

const hub = readStateOf({ message: 5, note: 2, todo: 3 }, { message: 1, note: 2, todo: 4 }) as Hub;
const response = (message: number, note: number, todo: number) =>
  ({
    hubId: 'h',
    ...readStateOf({ message, note, todo }, { message: 0, note: 1, todo: 1 }),
  }) as ReadMark;

describe('the read state of a Hub', () => {
  test('takes the lowest read position of all kinds and sums the unread counts', () => {
    expect(hub).toMatchObject({ readSeq: 2, unreadCount: 7 });
  });

  test('advances only the kinds that were read', () => {
    expect(readAll(hub, ['note'], 9)).toEqual({
      readSeq: 3,
      readSeqs: { message: 5, note: 9, todo: 3 },
      unreadCount: 5,
      unreadCounts: { message: 1, note: 0, todo: 4 },
    });
    expect(readAll(hub, ['message', 'note', 'todo'], 9)).toMatchObject({ readSeq: 9, unreadCount: 0 });
  });

  test('takes the markers that moved back later, in a count as in a list, and ignores those from before', () => {
    const known = { ...hub, seq: 9, readVersion: 1 } as Hub;
    const back = { ...response(2, 2, 3), readVersion: 2 };
    expect(withCounted(known, back)).toMatchObject({ readSeqs: { message: 2, note: 2, todo: 3 }, readVersion: 2 });
    expect(withCounted(known, { ...response(9, 9, 9), readVersion: 0 })).toEqual({});
    const listed = { ...known, ...back, unreadCount: 3 } as Hub;
    expect(withListed(known, listed, known)).toMatchObject({ readSeqs: { message: 2 }, readVersion: 2 });
    expect(withListed(listed, known, listed)).toMatchObject({ readSeqs: { message: 2 }, readVersion: 2 });
    // With events in between, only the server knows the counts.
    expect(withUnreadState(known, { ...back, seq: 8, unreadMentionIds: [] } as UnreadState)).toBe('unknown');
    expect(isReadFurther(known, back)).toBe(false);
  });

  test('keeps the further read position of each kind when the server state is older', () => {
    expect(withCounted(hub, response(6, 1, 3))).toMatchObject({
      readSeqs: { message: 6, note: 2, todo: 3 },
      unreadCounts: { message: 0, note: 2, todo: 1 },
    });
  });

  test("adopts another tab's state if both cover the same events; otherwise newly read items make it unknown", () => {
    const known = { ...hub, seq: 9 };
    const update = { ...response(6, 6, 6), seq: 9, unreadMentionIds: [] } as UnreadState;
    expect(withUnreadState(known, update)).toMatchObject({ readSeq: 6, unreadCount: 2 });
    expect(withUnreadState(known, { ...update, seq: 8 })).toBe('unknown');
    expect(withUnreadState(known, { ...update, ...response(5, 2, 3), seq: 8 })).toEqual({});
    expect(withUnreadState(known, { ...update, ...response(4, 6, 3) })).toMatchObject({
      readSeqs: { message: 5, note: 6, todo: 3 },
      unreadCounts: { message: 1, note: 1, todo: 1 },
    });
  });

  test('subtracts one unread item of a kind, but never goes below 0', () => {
    expect(withOneLess(hub, 'todo')).toMatchObject({ unreadCount: 6, unreadCounts: { message: 1, note: 2, todo: 3 } });
    const none = readStateOf({ message: 0, note: 0, todo: 0 }, { message: 0, note: 0, todo: 0 }) as Hub;
    expect(withOneLess(none, 'note')).toMatchObject({ unreadCount: 0 });
  });

  test('adds one unread item of a kind', () => {
    expect(withOneMore(hub, 'todo')).toMatchObject({ unreadCount: 8, unreadCounts: { message: 1, note: 2, todo: 5 } });
  });

  test('counts as read further than another if any kind was read further', () => {
    const less = readStateOf({ message: 9, note: 9, todo: 2 }, { message: 0, note: 0, todo: 0 });
    expect([isReadFurther(hub, less), isReadFurther(hub, hub)]).toEqual([true, false]);
  });

  test('is not moved back by a list requested earlier, and its unread mentions stay unchanged', () => {
    const known = { ...hub, seq: 9, unreadMentionIds: ['m2'] } as Hub;
    const listed = { ...known, ...readStateOf({ message: 9, note: 9, todo: 9 }, { message: 0, note: 0, todo: 0 }) };
    const list = (seq: number) => ({ ...listed, seq, unreadMentionIds: ['m1'] });
    const kept = { readSeqs: known.readSeqs, unreadMentionIds: ['m2'] };
    expect(withListed(known, list(8), undefined)).toMatchObject({ ...kept, seq: 9 });
    const less = readStateOf({ message: 4, note: 9, todo: 9 }, { message: 2, note: 0, todo: 0 });
    expect(withListed(known, { ...list(10), ...less }, undefined)).toMatchObject({ ...kept, seq: 9 });
    expect(withListed(known, { ...list(9), ...less }, known)).toMatchObject({
      readSeqs: { message: 5, note: 9, todo: 9 },
      unreadCounts: { message: 1, note: 0, todo: 0 },
      unreadMentionIds: ['m1'],
    });
    expect(withListed(known, list(10), known)).toEqual({ ...listed, seq: 10, unreadMentionIds: ['m1'] });
  });
});

test('an item after the read mark of its kind is unread, unless it is a reply', () => {
  const item = (kind: string, seq: number, parentId: string | null = null) => ({ kind, seq, parentId }) as Item;
  const marks = hub.readSeqs;
  expect(isBehindMark(item('message', 5), marks)).toBe(false);
  expect(isBehindMark(item('note', 5), marks)).toBe(true);
  expect(isBehindMark(item('todo', 3), marks)).toBe(false);
  expect(isBehindMark(item('message', 9, 'm'), marks)).toBe(false);
  expect(isBehindMark(item('message', 9), null)).toBe(false);
});

describe('the unread counts after an event', () => {
  const ME = 'per_me';
  const hub = {
    ...readStateOf({ message: 1, note: 1, todo: 1 }, { message: 2, note: 0, todo: 1 }),
    unreadMentionIds: ['msg_0002'],
  } as Hub;
  const read = {
    ...readStateOf({ message: 9, note: 9, todo: 9 }, { message: 0, note: 0, todo: 0 }),
    unreadMentionIds: [] as string[],
  } as Hub;
  const after = (frame: EventFrame, known = hub) => unreadAfter(frame, known, ME);
  const messages = (count: number) => ({ unreadCounts: { message: count, note: 0, todo: 1 }, unreadCount: count + 1 });

  test('adds one for a post by another user, and nothing for your own', () => {
    expect(after(event('created', 5, message(5)))).toMatchObject(messages(3));
    const own = message(5, { author: { id: ME, kind: 'user', name: 'Me' } });
    expect([after(event('created', 5, own)), after(event('changed', 5, message(5)))]).toEqual([{}, {}]);
  });

  test('subtracts one for a deleted unread post, and removes its mention', () => {
    expect(after(event('deleted', 5, message(3)))).toMatchObject(messages(1));
    expect(after(event('deleted', 5, message(2)))).toMatchObject({ ...messages(1), unreadMentionIds: [] });
    expect(after(event('deleted', 5, message(3)), read)).toEqual({});
  });

  test('changes nothing for a post created and deleted while away, although its events carry its current state', () => {
    const gone = message(5, { text: null, deletedAt: 'x' });
    const written = { ...hub, ...after(event('created', 5, gone)) } as Hub;
    expect({ ...written, ...(after(event('deleted', 6, gone), written) as Partial<Hub>) }).toEqual(hub);
    const back = { ...hub, ...after(event('restored', 7, gone)) } as Hub;
    expect({ ...back, ...(after(event('deleted', 8, gone), back) as Partial<Hub>) }).toEqual(hub);
  });

  test('returns unknown for a deletion when the count is at the server limit', () => {
    const many = {
      ...hub,
      ...readStateOf({ message: 1, note: 1, todo: 1 }, { message: 100, note: 0, todo: 0 }),
    } as Hub;
    expect(after(event('deleted', 5, message(3)), many)).toBe('unknown');
  });

  test('returns unknown for erased or pruned items, unless everything was read', () => {
    const erased = { kind: 'message', id: 'msg_0009', hubId: 'hub_1', deletedAt: 'x' } as const;
    const pruned: EventFrame = { type: 'event', hubId: 'hub_1', seq: 5, event: 'items.pruned', data: { before: 'x' } };
    for (const frame of [
      { type: 'event', hubId: 'hub_1', seq: 5, event: 'message.deleted', data: erased },
      pruned,
    ] as const) {
      expect([after(frame), after(frame, read)]).toEqual(['unknown', {}]);
    }
  });

  test('adds one for a restored post, and returns unknown if it may mention you', () => {
    expect(after(event('restored', 5, message(3)))).toMatchObject(messages(3));
    expect(after(event('restored', 5, message(3, { mentions: [ME] })))).toBe('unknown');
    expect(after(event('restored', 5, message(3, { parentId: 'msg_0000' })))).toBe('unknown');
  });
});
