import { describe, expect, test } from 'bun:test';
import type { Hub, Item, ReadMark, UnreadState } from '@hub/contract';
import {
  isBehindMark,
  isReadFurther,
  readAll,
  readStateOf,
  withCounted,
  withListed,
  withNotified,
  withOneLess,
  withOneMore,
} from './read-state.ts';

const hub = readStateOf({ message: 5, note: 2, todo: 3 }, { message: 1, note: 2, todo: 4 }) as Hub;
const response = (message: number, note: number, todo: number) =>
  ({
    hubId: 'h',
    ...readStateOf({ message, note, todo }, { message: 0, note: 1, todo: 1 }),
  }) as ReadMark;

describe('how far a Hub was read', () => {
  test('is as far as all of it was, and what is left is added up', () => {
    expect(hub).toMatchObject({ readSeq: 2, unreadCount: 7 });
  });

  test('moves for the kinds that were read, and no other', () => {
    expect(readAll(hub, ['note'], 9)).toEqual({
      readSeq: 3,
      readSeqs: { message: 5, note: 9, todo: 3 },
      unreadCount: 5,
      unreadCounts: { message: 1, note: 0, todo: 4 },
    });
    expect(readAll(hub, ['message', 'note', 'todo'], 9)).toMatchObject({ readSeq: 9, unreadCount: 0 });
  });

  test('is never taken back by what the server knew before, kind by kind', () => {
    expect(withCounted(hub, response(6, 1, 3))).toMatchObject({
      readSeqs: { message: 6, note: 2, todo: 3 },
      unreadCounts: { message: 0, note: 2, todo: 1 },
    });
  });

  test('is taken from what the server tells of another tab, as far as that counts the same events', () => {
    const known = { ...hub, seq: 9 };
    const notified = { ...response(6, 6, 6), seq: 9, unreadMentionIds: [] } as UnreadState;
    expect(withNotified(known, notified)).toMatchObject({ readSeq: 6, unreadCount: 2 });
    expect(withNotified(known, { ...notified, seq: 8 })).toBe('unknown');
    expect(withNotified(known, { ...notified, ...response(5, 2, 3), seq: 8 })).toEqual({});
    expect(withNotified(known, { ...notified, ...response(4, 6, 3) })).toMatchObject({
      readSeqs: { message: 5, note: 6, todo: 3 },
      unreadCounts: { message: 1, note: 1, todo: 1 },
    });
  });

  test('counts one less of a kind, but never below nothing', () => {
    expect(withOneLess(hub, 'todo')).toMatchObject({ unreadCount: 6, unreadCounts: { message: 1, note: 2, todo: 3 } });
    const none = readStateOf({ message: 0, note: 0, todo: 0 }, { message: 0, note: 0, todo: 0 }) as Hub;
    expect(withOneLess(none, 'note')).toMatchObject({ unreadCount: 0 });
  });

  test('counts one more of a kind', () => {
    expect(withOneMore(hub, 'todo')).toMatchObject({ unreadCount: 8, unreadCounts: { message: 1, note: 2, todo: 5 } });
  });

  test('is further than another if any kind is', () => {
    const less = readStateOf({ message: 9, note: 9, todo: 2 }, { message: 0, note: 0, todo: 0 });
    expect([isReadFurther(hub, less), isReadFurther(hub, hub)]).toEqual([true, false]);
  });

  test('is not taken back by a list that was asked for before, and neither is what is addressed to one', () => {
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

  test('is nothing for who does not belong to it', () => {
    const none = { readSeqs: null, unreadCounts: null } as Hub;
    expect([readAll(none, ['note'], 1), withOneMore(none, 'note'), isReadFurther(none, hub)]).toEqual([{}, {}, false]);
  });
});

test('an item is new behind the mark of its kind, a reply never', () => {
  const item = (kind: string, seq: number, parentId: string | null = null) => ({ kind, seq, parentId }) as Item;
  const marks = hub.readSeqs;
  expect(isBehindMark(item('message', 5), marks)).toBe(false);
  expect(isBehindMark(item('note', 5), marks)).toBe(true);
  expect(isBehindMark(item('todo', 3), marks)).toBe(false);
  expect(isBehindMark(item('message', 9, 'm'), marks)).toBe(false);
  expect(isBehindMark(item('message', 9), null)).toBe(false);
});
