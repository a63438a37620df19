import { expect, test } from 'bun:test';
import type { EventFrame } from '@hub/contract';
import { event, message } from '../items/testing/sample-items.ts';
import { mentionsAfter } from './mentions-after.ts';

const ME = 'per_me';
const after = (told: EventFrame, ids: string[] = ['msg_0001']) => mentionsAfter(told, ids, ME);

test('what was deleted is not unread any more, and what was written or edited the server tells of', () => {
  expect(after(event('deleted', 5, message(1)))).toEqual([]);
  expect(after(event('deleted', 5, message(2)))).toEqual(['msg_0001']);
  for (const name of ['created', 'changed'] as const) {
    expect(after(event(name, 5, message(2, { mentions: [ME] })))).toEqual(['msg_0001']);
  }
});

test('what came back, or was pruned, is asked for if it can be of what is addressed to one', () => {
  expect(after(event('restored', 5, message(2)))).toEqual(['msg_0001']);
  expect(after(event('restored', 5, message(2, { mentions: [ME] })))).toBe('unknown');
  expect(after(event('restored', 5, message(2, { parentId: 'msg_0000' })))).toBe('unknown');
  const pruned: EventFrame = { type: 'event', hubId: 'hub_1', seq: 5, event: 'items.pruned', data: { before: 'x' } };
  expect([after(pruned), after(pruned, [])]).toEqual(['unknown', []]);
});
