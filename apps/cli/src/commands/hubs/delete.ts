import type { Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { segment } from '../../runtime/workspace-api.ts';

export function addDeleteHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('delete')
    .description('Delete a Hub; its keys get 404 until you restore it')
    .argument('[hub]', 'Hub ID or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action((hub: string | undefined, options: { yes?: boolean }) => deleteHub(cli, hub, options));
  helpNotes(command, {
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", "deletedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs delete Releases', 'hubctl hubs delete hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  });
}

async function deleteHub(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs delete HUB --yes', 'live');
  await cli.confirm(options.yes, `Delete the Hub "${hub.name}"? Its keys stop working until you restore it.`);
  const deleted = await cli.api.delete<Hub>(`/hubs/${segment(hub.id)}`);
  if (cli.json) return cli.output.document(deleted);
  cli.output.line('Deleted Hub ', styled('bold', deleted.name), ' ', deleted.id);
  cli.output.note(styled('dim', `To restore it: hubctl hubs restore ${deleted.id}`));
}
