import { expect, test } from 'bun:test';
import type { Item, Message } from '@hub/contract';
import { collapseRepeats } from './repeats.ts';

const message = (text: string, fields: Partial<Message> = {}) =>
  ({
    ...{ kind: 'message', id: Bun.randomUUIDv7(), createdAt: '2026-03-01T12:00:00.000Z', text, blocks: null },
    ...{ key: { id: 'key_1', name: 'ci' }, parentId: null, deletedAt: null, replyCount: 0, reactions: [] },
    ...{ conversion: null, ...fields },
  }) as unknown as Item;
/** Returns how many messages each row stands for. */
const rows = (items: readonly Item[], options = {}) => {
  const { items: visible, repeats } = collapseRepeats(items, { isOpen: () => false, ...options });
  return visible.map(({ id }) => 1 + (repeats.get(id)?.older.length ?? 0));
};

test.each([
  ['3 of 4 disks are full', '4 of 12 disks are full', true],
  ['load 0.75, 1,024 requests', 'load 12.5, 9 requests', true],
  ['at 9:59', 'at 10:00', true],
  ['9:59 AM', '1:07 pm', true],
  ['on 2026-03-01T12:00:00.123Z', 'on 2026-11-30T01:02:03.4Z', true],
  ['on Sat Nov 28 17:03:16 UTC 2026', 'on Monday Dec 1 07:03:16 UTC 2026', true],
  ['since 3 March', 'since 12 Apr', true],
  ['commit 4be1a2f', 'commit 0123456', true],
  ['job 6f1f7d4e-9a55-4a1c-8c1e-0d5cbe3f3a10', 'job 0a1b2c3d-0000-4fff-8abc-def012345678', true],
  ['took 250ms', 'took 1m 12s', true],
  ['took 1 hour and 5 minutes', 'took 3 seconds', true],
  ['web-1 is down', 'web-2 is down', true],
  ['disk is full', 'disk is empty', false],
  ['it may fail', 'it mar fail', false],
  ['defaced', 'facade', false],
  ['took 5m', 'took 5', false],
])('%p and %p are one row: %p', (one, other, isOne) => {
  expect(rows([message(one), message(other)])).toEqual(isOne ? [2] : [1, 1]);
});

test.each<[string, Partial<Message>]>([
  ['a member wrote', { key: null }],
  ['another key posted', { key: { id: 'key_2', name: 'ci' } }],
  ['has replies', { replyCount: 1 }],
  ['has a reaction', { reactions: [{ emoji: '🎉', userIds: ['usr_1'] }] }],
  ['was converted', { conversion: { kind: 'todo', id: 'todo_1' } }],
  ['was deleted', { deletedAt: '2026-03-01T12:00:00.000Z' }],
  ['is of another day', { createdAt: '2026-03-03T12:00:00.000Z' }],
  ['has blocks', { blocks: [{ type: 'paragraph', data: { text: 'run 3' } }] }],
])('a message that %s keeps its row', (_, fields) => {
  expect(rows([message('run 1'), message('run 2'), message('run 3', fields)])).toEqual([2, 1]);
});

test('what other Hubs get in between does not keep messages apart, and their rows are at their newest message', () => {
  const inHub = (hubId: string, text: string) => message(text, { hubId, key: { id: `key of ${hubId}`, name: hubId } });
  const items = ['a run 1', 'b build 1', 'a run 2', 'b done', 'a run 3'].map((text) => inHub(text.slice(0, 1), text));
  const collapsed = collapseRepeats(items, { isOpen: () => false });
  expect(collapsed.items).toEqual([1, 3, 4].map((n) => items[n] as Item));
  expect(collapsed.repeats.get(items[4]?.id ?? '')?.oldest).toBe(items[0]?.id as string);
  expect(collapseRepeats(items, { isOpen: () => true }).items).toBe(items);
});

test('only consecutive messages collapse, each into the newest, and those that are open keep their rows', () => {
  const items = [message('run 1'), message('run 2'), message('done'), message('run 3'), message('run 4')];
  const [, second, , , last] = items;
  expect(rows(items)).toEqual([2, 1, 2]);
  const isApart = (before: Item) => before === second || before.id === items[3]?.id;
  expect(rows(items, { isApart })).toEqual([2, 1, 1, 1]);
  const isOpen = (group: readonly Item[]) => group.includes(last as Item);
  expect(collapseRepeats(items, { isOpen }).items).toEqual(items.slice(1));
  const blocks = (text: string) => [{ type: 'paragraph', data: { text } }];
  expect(rows([message('', { blocks: blocks('run 1') }), message('', { blocks: blocks('run 2') })])).toEqual([2]);
});
