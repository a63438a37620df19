import { expect, test } from 'bun:test';
import type { Item } from '@hub/contract';
import { renamed } from './item.ts';

const ADA = { id: 'usr_1', name: 'Ada King' };
const item = {
  id: 'msg_1',
  kind: 'message',
  author: { id: 'usr_1', kind: 'user', name: 'Ada Lovelace' },
  key: null,
  reactions: [
    {
      emoji: '👍',
      users: [
        { id: 'usr_2', name: 'Bob' },
        { id: 'usr_1', name: 'Ada Lovelace' },
      ],
    },
  ],
  blocks: [{ type: 'paragraph', id: 'usr_1', name: 'as posted' }],
} as unknown as Item;

test('a user has the new name wherever an item names them, and nowhere else', () => {
  const after = renamed(item, ADA) as unknown as Record<string, unknown>;
  expect(after.author).toEqual({ id: 'usr_1', kind: 'user', name: 'Ada King' });
  expect(after.reactions).toEqual([{ emoji: '👍', users: [{ id: 'usr_2', name: 'Bob' }, ADA] }]);
  expect(after.blocks).toBe(item.blocks as never);
  expect(item.author.name).toBe('Ada Lovelace');
});

test('an item that does not name the user, or already has the new name, stays the same object', () => {
  expect(renamed(item, { id: 'usr_9', name: 'Zoe' })).toBe(item);
  const after = renamed(item, ADA);
  expect(renamed(after, ADA)).toBe(after);
});
