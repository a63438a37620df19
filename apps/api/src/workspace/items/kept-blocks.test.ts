import { expect, test } from 'bun:test';
import type { HubExport, Message, StreamPage } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';

/** Blocks with fields that Editor.js and its plug-ins add, and that the server does not know. */
const BLOCKS = [
  { type: 'poll', data: { question: 'When?', options: [{ text: 'now', votes: 2 }] }, tunes: { anchor: { name: 'a' } } },
  { type: 'paragraph', data: { text: 'x', alignment: 'left' }, tunes: { align: { alignment: 'left' } } },
  { type: 'header', data: { text: 'x', level: 2, anchor: 'x' }, id: 'abc' },
  {
    type: 'list',
    data: { style: 'unordered', items: [{ content: 'a', meta: { odd: 1 }, items: [], more: { deep: [1] } }] },
  },
  {
    type: 'image',
    data: { file: { url: 'https://example.org/a.png', width: 7 }, caption: '', stretched: true, odd: [1] },
  },
  { type: 'table', data: { withHeadings: false, stretched: true, content: [['a']], odd: { x: null } } },
];

test('unknown fields of blocks are returned wherever the message is returned', async () => {
  await using team = await startTeam();
  const { ada, hubId } = team;
  const { id } = await team.post('messages', { blocks: BLOCKS });
  const stream = (await ada.json<StreamPage>('GET', '/stream')).body;
  const document = (await (await ada.fetch(`/api/v1/hubs/${hubId}/export`)).json()) as HubExport;
  const reacted = await ada.json<Message>('PUT', `/messages/${id}/reactions/👍`);
  const shown = {
    item: await team.show<Message>({ id }),
    list: (await team.messages()).items[0],
    stream: stream.items[0] as Message,
    export: document.messages[0],
    reaction: reacted.body,
  };
  for (const [path, message] of Object.entries(shown)) {
    expect({ path, blocks: message?.blocks as unknown }).toEqual({ path, blocks: BLOCKS });
  }
});
