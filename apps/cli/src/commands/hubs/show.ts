import type { Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { printFields } from '../../runtime/table.ts';
import { count, showTimeAndDistance } from '../../runtime/times.ts';

export function addShowHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('show')
    .description('Show a Hub')
    .argument('[hub]', 'Hub ID or name')
    .action((hub: string | undefined) => showHub(cli, hub));
  helpNotes(command, {
    prints: 'The details of the Hub.\nWith --json: {"id", "name", "conversationId", "createdAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs show Releases'],
  });
}

async function showHub(cli: Cli, reference: string | undefined): Promise<void> {
  const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs show HUB', 'all');
  if (cli.json) return cli.output.document(hub);
  const now = cli.deps.clock.now();
  printFields(cli.output, fieldsOf(hub, now));
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
