import { expect, test } from 'bun:test';
import type { Item, Message } from '@hub/contract';
import { event, message, note, todo } from '../../../test/sample-items.ts';
import { findTask } from '../../lib/posts/find-task.ts';
import { ApiError, type request } from '../request.ts';
import { checkTask } from './check-task.ts';
import { ItemStore } from './item-store.ts';

/** Returns a store with one item, and a server that stores changes to it unless their version is outdated. */
function setUp<Kept extends Item>(item: Kept) {
  const items = new ItemStore();
  const server = { item: item as Item, sent: [] as unknown[] };
  items.applyResponse(item);
  const ask = async (operation: string, { body }: { body?: { baseVersion: number } & Partial<Item> } = {}) => {
    if (operation.startsWith('GET')) return server.item;
    server.sent.push(body);
    if (body?.baseVersion !== server.item.version) throw new ApiError({ statusCode: 409, message: 'Changed' }, null);
    const { baseVersion, ...fields } = body;
    server.item = { ...server.item, ...fields, version: baseVersion + 1 } as Item;
    return server.item;
  };
  const find = async (text: string, task: number) => findTask(text, task);
  const dependencies = { ask: ask as unknown as typeof request, find };
  const check = (text: string, task: number, isDone = true) =>
    checkTask(items, { id: item.id, text, task, isDone }, dependencies);
  const change = (fields: Partial<Item>) => {
    server.item = { ...server.item, ...fields, version: server.item.version + 1 } as Item;
  };
  return { items, server, check, change };
}

const TEXT = '- [ ] a\n- [ ] b';

test.each([
  ['note', note(1, { content: TEXT }), { content: '- [ ] a\n- [x] b', baseVersion: 1 }],
  ['to-do', todo(1, { content: TEXT }), { content: '- [ ] a\n- [x] b', baseVersion: 1 }],
  ['message', message(1, { text: TEXT }), { text: '- [ ] a\n- [x] b', baseVersion: 1 }],
])('saves a checked task of a %s with one request', async (_, item, body) => {
  const { server, check } = setUp<Item>(item);
  await check(TEXT, 1);
  expect(server.sent).toEqual([body]);
});

test('saves boxes that are checked in quick succession one after the other', async () => {
  const { server, check } = setUp(note(1, { content: TEXT }));
  await Promise.all([check(TEXT, 0), check(TEXT, 1), check(TEXT, 0, false)]);
  expect(server.item).toMatchObject({ content: '- [ ] a\n- [x] b', version: 4 });
});

test('sends again after a change to another field or another box', async () => {
  const { server, items, check, change } = setUp(todo(1, { content: TEXT }));
  change({ priority: 'HIGH' });
  await check(TEXT, 1);
  expect(server.item).toMatchObject({ content: '- [ ] a\n- [x] b', priority: 'HIGH', version: 3 });
  change({ content: '- [x] a\n- [x] b' });
  await check('- [ ] a\n- [x] b', 1, false);
  expect(items.get('todo_0001').peek()).toMatchObject({ content: '- [x] a\n- [ ] b', version: 5 });
});

test('rejects with an error and stores the newer text if someone changed it otherwise', async () => {
  const { server, items, check, change } = setUp(note(1, { content: TEXT }));
  change({ content: `- [ ] new\n${TEXT}` });
  expect(check(TEXT, 1)).rejects.toThrow('This text was changed');
  await check(TEXT, 1).catch(() => {});
  expect(server.item).toMatchObject({ content: `- [ ] new\n${TEXT}`, version: 2 });
  expect(items.get('note_0001').peek()).toMatchObject({ version: 2 });
});

test('keeps a reaction whose event arrives before the response', async () => {
  const { server, items, check } = setUp(message(1, { text: TEXT }));
  const checked = check(TEXT, 0);
  while (server.sent.length === 0) await Promise.resolve();
  const reactions = [{ emoji: '👍', userIds: ['per_2'] }];
  items.apply(event('changed', 2, server.item));
  items.apply(event('changed', 3, { ...(server.item as Message), reactions }));
  await checked;
  expect(items.get('msg_0001').peek()).toMatchObject({ text: '- [x] a\n- [ ] b', reactions });
});
