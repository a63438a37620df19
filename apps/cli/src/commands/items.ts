import type { Item } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { showTime } from '../runtime/format.ts';
import { styled } from '../runtime/output.ts';
import { hintOf } from '../runtime/post-lines.ts';
import { hubFor } from '../runtime/resolve.ts';
import { type Column, freeText, printList } from '../runtime/table.ts';

const NOUNS = { message: 'message', note: 'note', todo: 'to-do' } as const;

const COLUMNS: Column<Item>[] = [
  { title: 'DELETED', cell: ({ deletedAt }) => showTime(deletedAt ?? '') },
  { title: 'KIND', cell: ({ kind }) => NOUNS[kind], dropOrder: 1 },
  { title: 'AUTHOR', cell: ({ author, key }) => freeText(key?.name ?? author.name) },
  { title: 'TEXT', cell: (item) => freeText(hintOf(item)) },
  { title: 'ID', cell: ({ id }) => id },
];

export function addItemCommands(program: Command, cli: Cli): void {
  const items = program.command('items').description('Restore deleted messages, notes and to-dos');

  addCommand(items, 'deleted', {
    about: 'List the deleted items of a Hub that you can restore',
    prints:
      'A table of items, newest first: those that you wrote or deleted, and all for admins.\n' +
      'With --json: {"items": [{"id", "kind", "deletedAt", …}]}.',
    examples: ['hubctl items deleted Releases'],
  })
    .argument('[hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference);
      const deletedItems = await cli.api.all('GET /hubs/{hubId}/deleted-items', { hubId: hub.id });
      printList(cli.output, COLUMNS, deletedItems, 'Nothing was deleted in the last 30 days.');
      if (deletedItems.length > 0) cli.output.hint('To restore one of them: hubctl items restore ID');
    });

  addCommand(items, 'restore', {
    about: 'Restore a deleted item, for 30 days after its deletion',
    prints: 'The kind and ID of the item.\nWith --json: {"id", "kind", …}.',
    examples: ['hubctl items restore msg_01KA3T8Q6V5M0G7ZB4W2N9RXEC'],
  })
    .argument('<item>', 'Item ID')
    .action(async (itemId: string) => {
      const restored = await cli.api.request('POST /items/{itemId}/restoration', { itemId });
      cli.output.result(restored, 'Restored the ', NOUNS[restored.kind], ' ', styled('bold', restored.id));
    });
}
