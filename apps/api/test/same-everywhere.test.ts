import { expect, test } from 'bun:test';
import type { HubExport, Item } from '@hub/contract';
import { recordsOf, startTeam } from '@hub/testkit/in-process/team';
import { eventFrame } from '../src/live/live-frames.ts';

test('an item has the same form everywhere: on its own, in every list, in events, in search and in an export', async () => {
  await using team = await startTeam();
  const { ada, bob, hub, hubId } = team;
  const assigneeId = ada.user.id;
  const message = await team.message(bob, 'curlew @Ada');
  const reply = await team.reply(bob, message, 'curlew @Ada');
  await ada.json('PUT', `/messages/${message.id}/reactions/👍`);
  // Fields that the server does not know are kept.
  const blocks = [
    { type: 'paragraph', data: { text: 'curlew @Ada', odd: [1] }, tunes: { a: { name: 'a' } } },
    { type: 'list', data: { style: 'unordered', items: [{ content: 'a', meta: { odd: 1 }, items: [], more: [1] }] } },
    { type: 'image', data: { file: { url: 'https://example.org/a.png', width: 7 }, caption: '', odd: { x: null } } },
  ];
  expect((await team.post('messages', { blocks })).blocks as unknown).toEqual(blocks);
  const dueDate = '2026-04-01T12:00:00+02:00';
  await team.todo(bob, { title: 'curlew', content: '@Ada', assigneeId, dueDate, priority: 'LOW' });
  const made = await bob.json<Item>('POST', `/messages/${reply.id}/conversion`, { to: 'todo', assigneeId });
  await ada.json('PATCH', `/todos/${made.body.id}`, { status: 'done' });
  await team.note(bob, { title: 'curlew', content: '@Ada' });
  const question = { choices: ['yes', 'no'], expiresInSeconds: 60 };
  const asked = await bob.call<Item>('POST', `/hubs/${hubId}/messages`, { text: 'curlew @Ada?', question });
  await ada.call('PUT', `/messages/${asked.id}/answer`, { choice: 'no' });

  const listed = async (path: string) => (await ada.json<{ items: Item[] }>('GET', path)).body.items;
  const exported = (await ada.json<HubExport>('GET', `/hubs/${hubId}/export`)).body;
  const events = (await recordsOf(hub, hubId)).filter(({ itemId }) => itemId !== null);
  const sources: Record<string, Item[]> = {
    lists: (await Promise.all(['messages', 'notes', 'todos'].map((kind) => listed(`/hubs/${hubId}/${kind}`)))).flat(),
    thread: await listed(`/items/${message.id}/replies`),
    stream: await listed('/stream'),
    unread: await listed('/stream?unread=true'),
    search: await listed('/search?q=curlew'),
    mentions: await listed('/mentions'),
    todos: await listed('/todos?assigneeId=me'),
    events: events.map((event) => (JSON.parse(eventFrame(event)) as { data: Item }).data),
    export: [...exported.messages, ...exported.notes, ...exported.todos],
  };
  const counts = Object.entries(sources).map(([source, items]) => [source, new Set(items.map(({ id }) => id)).size]);
  const all = { stream: 7, unread: 7, search: 7, events: 7, export: 7 };
  expect(Object.fromEntries(counts)).toEqual({ ...all, lists: 6, thread: 1, mentions: 6, todos: 2 });
  for (const [source, items] of Object.entries(sources)) {
    for (const item of items) expect([source, item]).toEqual([source, await team.show<Item>(item)]);
  }
});
