import { describe, expect, test } from 'bun:test';
import type { Hub, Item, ReadMark, UnreadState } from '@hub/contract';
import {
  isBehindMark,
  isReadFurther,
  readAll,
  readStateOf,
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

  test('is empty for a user who is not a member', () => {
    const none = { readSeqs: null, unreadCounts: null } as Hub;
    expect([readAll(none, ['note'], 1), withOneMore(none, 'note'), isReadFurther(none, hub)]).toEqual([{}, {}, false]);
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
