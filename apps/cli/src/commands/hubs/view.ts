import type { Hub } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { count, showTime, showTimeAndDistance } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { type HubState, hubFor, noHubs } from '../../runtime/resolve-hub.ts';
import { type Column, printFields, printList } from '../../runtime/table.ts';

const NAME: Column<Hub> = { title: 'NAME', cell: (hub) => hub.name };
const ID: Column<Hub> = { title: 'ID', cell: (hub) => hub.id };
const CREATED: Column<Hub> = { title: 'CREATED', cell: (hub) => showTime(hub.createdAt), dropOrder: 1 };
const DELETED: Column<Hub> = { title: 'DELETED', cell: (hub) => (hub.deletedAt ? showTime(hub.deletedAt) : '-') };

export function addListHubs(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'list', {
    about: 'List Hubs, newest first',
    prints: 'A table of Hubs.\nWith --json: {"items": [{"id", "name", "createdAt", …}]}.',
    examples: ['hubctl hubs list', 'hubctl hubs list --state deleted --json'],
  })
    .addOption(new Option('--state <state>', 'Filter by state').choices(['live', 'deleted', 'all']).default('live'))
    .action(async ({ state }: { state: HubState }) => {
      const items = await cli.api.all<Hub>('/hubs', { state });
      const none = cli.json || items.length > 0 ? '' : await noHubs(cli, state);
      printList(cli.output, state === 'live' ? [NAME, ID, CREATED] : [NAME, ID, CREATED, DELETED], items, none);
    });
}

export function addShowHub(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'show', {
    about: 'Show a Hub',
    prints: 'The details of the Hub.\nWith --json: {"id", "name", "conversationId", "createdAt", …}.',
    examples: ['hubctl hubs show Releases'],
  })
    .argument('[hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs show HUB', 'all');
      if (cli.json) return cli.output.document(hub);
      const now = cli.deps.clock.now();
      printFields(cli.output, fieldsOf(hub, now));
    });
}

function fieldsOf(hub: Hub, now: number): [string, string][] {
  return [
    ['Name', hub.name],
    ['ID', hub.id],
    ['Conversation', hub.conversationId],
    ['Notes', hub.notesBucketId],
    ['To-dos', hub.todosBucketId],
    ['Retention', hub.retentionDays === null ? 'forever' : count(hub.retentionDays, 'day')],
    ['Created', showTimeAndDistance(hub.createdAt, now)],
    ...(hub.deletedAt ? [['Deleted', showTimeAndDistance(hub.deletedAt, now)] as [string, string]] : []),
  ];
}
