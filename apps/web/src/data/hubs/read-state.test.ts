import { describe, expect, test } from 'bun:test';
import type { EventFrame, Hub, Item, ReadMark, UnreadState } from '@hub/contract';
import { event, message, pruned } from '../../../test/sample-items.ts';
import {
  isReadFurther,
  isUnreadIn,
  readAll,
  readStateOf,
  unreadAfter,
  withCounted,
  withListed,
  withUnreadState,
} from './read-state.ts';

const hub = readStateOf({ message: 5, note: 2, todo: 3 }, { message: 1, note: 2, todo: 4 }) as Hub;
const response = (message: number, note: number, todo: number) =>
  ({ hubId: 'h', ...readStateOf({ message, note, todo }, { message: 0, note: 1, todo: 1 }) }) as ReadMark;

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
    const further = { readSeqs: { message: 6, note: 2, todo: 3 }, unreadCounts: { message: 0, note: 2, todo: 1 } };
    expect(withCounted(hub, response(6, 1, 3))).toMatchObject(further);
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

test.each([
  ['message', 5, null, false],
  ['note', 5, null, true],
  ['todo', 3, null, false],
  ['message', 9, 'm', false],
])('whether a %s with the number %p and the parent %p is after the read marks: %p', (kind, seq, parentId, isBehind) => {
  const item = { kind, seq, parentId, key: null, author: { id: 'bot' } } as Item;
  const isUnread = (known?: Hub) => isUnreadIn(known, item, 'usr_me');
  expect([isUnread(hub), isUnread()]).toEqual([isBehind, false]);
});

test('what a muted key posts is never unread, and muting one elsewhere makes the counts unknown', () => {
  const known = { ...hub, seq: 9, mutedKeyIds: ['key_1'] } as Hub;
  const isUnread = (id: string) => isUnreadIn(known, message(9, { key: { id, name: 'x' } }), 'usr_me');
  expect([isUnread('key_1'), isUnread('key_2')]).toEqual([false, true]);
  const update = { ...response(5, 2, 3), seq: 8, mutedKeyIds: ['key_1'], unreadMentionIds: [] } as UnreadState & object;
  expect(withUnreadState(known, update)).toEqual({});
  expect(withUnreadState(known, { ...update, mutedKeyIds: [] })).toBe('unknown');
  const former = { ...known, mutedKeyIds: [], unreadCount: 60 } as Hub;
  expect(withListed(known, former, former)).toMatchObject({ mutedKeyIds: ['key_1'], unreadCount: 7 });
  expect(withListed(known, { ...known, mutedKeyIds: [] } as Hub, known)).toMatchObject({ mutedKeyIds: [] });
});

describe('the unread counts after an event', () => {
  const ME = 'per_me';
  const at = (seq: number, message: number, todo: number, unreadMentionIds: string[]) =>
    ({ ...readStateOf({ message: seq, note: seq, todo: seq }, { message, note: 0, todo }), unreadMentionIds }) as Hub;
  const [hub, read] = [at(1, 2, 1, ['msg_0002']), at(9, 0, 0, [])];
  const after = (frame: EventFrame, known = hub) => unreadAfter(frame, known, ME);
  const messages = (count: number) => ({ unreadCounts: { message: count, note: 0, todo: 1 }, unreadCount: count + 1 });

  const counts = (message: number) => at(1, message, 0, hub.unreadMentionIds ?? []);
  const mine = message(5, { author: { id: ME, kind: 'user', name: 'Me' } });
  const erased = { kind: 'message', id: 'msg_0009', hubId: 'hub_1', deletedAt: 'x' } as const;
  const erasing: EventFrame = { type: 'event', hubId: 'hub_1', seq: 5, event: 'message.deleted', data: erased };

  test.each<[string, EventFrame, Hub, object | 'unknown']>([
    ['a post by another user adds one', event('created', 5, message(5)), hub, messages(3)],
    ['your own adds nothing', event('created', 5, mine), hub, {}],
    ['a change adds nothing', event('changed', 5, message(5)), hub, {}],
    ['a deleted unread post subtracts one', event('deleted', 5, message(3)), hub, messages(1)],
    ['its mention goes, too', event('deleted', 5, message(2)), hub, { ...messages(1), unreadMentionIds: [] }],
    ['a deleted post that was read subtracts nothing', event('deleted', 5, message(3)), read, {}],
    ['no count is below 0', event('deleted', 5, message(3)), { ...hub, ...counts(0) }, { unreadCount: 0 }],
    ['at its limit, only the server knows', event('deleted', 5, message(3)), { ...hub, ...counts(1_000) }, 'unknown'],
    ['of erased items, only the server knows', erasing, hub, 'unknown'],
    ['erased items that were read change nothing', erasing, read, {}],
    ['of pruned items, only the server knows', pruned(5, 'x'), hub, 'unknown'],
    ['pruned items that were read change nothing', pruned(5, 'x'), read, {}],
    ['a restored post adds one', event('restored', 5, message(3)), hub, messages(3)],
    ['a restored mention may be new', event('restored', 5, message(3, { mentions: [ME] })), hub, 'unknown'],
    ['so may a restored reply', event('restored', 5, message(3, { parentId: 'msg_0000' })), hub, 'unknown'],
  ])('%s', (_, frame, before, change) => {
    const after = unreadAfter(frame, before, ME);
    if (change === 'unknown' || Object.keys(change).length === 0) expect(after).toEqual(change as typeof after);
    else expect(after).toMatchObject(change);
  });

  test('changes nothing for a post created and deleted while away, although its events carry its current state', () => {
    const gone = message(5, { text: null, deletedAt: 'x' });
    const written = { ...hub, ...after(event('created', 5, gone)) } as Hub;
    expect({ ...written, ...(after(event('deleted', 6, gone), written) as Partial<Hub>) }).toEqual(hub);
    const back = { ...hub, ...after(event('restored', 7, gone)) } as Hub;
    expect({ ...back, ...(after(event('deleted', 8, gone), back) as Partial<Hub>) }).toEqual(hub);
  });
});
