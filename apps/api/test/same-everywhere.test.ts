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
  await team.post('messages', { blocks: [{ type: 'paragraph', data: { text: 'curlew @Ada' } }] });
  const dueDate = '2026-04-01T12:00:00+02:00';
  await team.todo(bob, { title: 'curlew', content: '@Ada', assigneeId, dueDate, priority: 'LOW' });
  const made = await bob.json<Item>('POST', `/messages/${reply.id}/conversion`, { to: 'todo', assigneeId });
  await ada.json('PATCH', `/todos/${made.body.id}`, { status: 'done' });
  await team.note(bob, { title: 'curlew', content: '@Ada' });

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
  const all = { stream: 6, unread: 6, search: 6, events: 6, export: 6 };
  expect(Object.fromEntries(counts)).toEqual({ ...all, lists: 5, thread: 1, mentions: 5, todos: 2 });
  for (const [source, items] of Object.entries(sources)) {
    for (const item of items) expect([source, item]).toEqual([source, await team.show<Item>(item)]);
  }
});
