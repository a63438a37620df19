import { expect, test } from 'bun:test';
import type { EventFrame, Hub } from '@hub/contract';
import { event, message } from '../items/testing/sample-items.ts';
import { readStateOf } from './read-state.ts';
import { unreadAfter } from './unread-after.ts';

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
  const own = message(5, { author: { id: ME, kind: 'person', name: 'Me' } });
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
  const many = { ...hub, ...readStateOf({ message: 1, note: 1, todo: 1 }, { message: 100, note: 0, todo: 0 }) } as Hub;
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
