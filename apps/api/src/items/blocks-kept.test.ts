import { expect, test } from 'bun:test';
import type { Block, HubExport } from '@hub/contract';
import { savedBlocks } from '../../../../packages/contract/src/blocks/saved-blocks.fixture.ts';
import { startTeam } from '../testing/team.ts';

test('blocks come back as they were sent, with what plugins add and with data of other tools', async () => {
  await using team = await startTeam();
  const nested = { content: 'a', meta: { checked: true }, items: [{ content: 'b', items: [{ content: 'c' }] }] };
  const blocks = [
    ...savedBlocks.map(({ block }) => block),
    { type: 'list', data: { style: 'checklist', items: [nested] } },
    { type: 'paragraph', data: { text: 'x', alignment: 'right' }, tunes: { anchor: { to: 'top' } } },
    { type: 'poll', data: { q: 'Tea?', options: [{ text: 'yes', votes: 3 }] } },
  ] as Block[];
  const posted = await team.post('messages', { blocks });
  expect(posted.blocks).toEqual(blocks);
  expect((await team.messages()).items[0]?.blocks).toEqual(blocks);
  const exported = (await team.ada.json<HubExport>('GET', `/hubs/${team.hubId}/export`)).body;
  expect(exported.messages[0]?.blocks).toEqual(blocks);
});
