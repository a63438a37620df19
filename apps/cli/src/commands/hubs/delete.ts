import type { Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { hubFor } from './resolve-hub.ts';

export function addDeleteHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('delete')
    .description('delete a Hub: its keys answer 404 from then on; it can be restored')
    .argument('[hub]', 'its id or name')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((hub: string | undefined, options: { yes?: boolean }) => deleteHub(cli, hub, options));
  helpNotes(command, {
    prints: 'The name and id.\nWith --json: {"id", "name", "deletedAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs delete Releases', 'hubctl hubs delete hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  });
}

export async function deleteHub(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const hub = await hubFor(cli, reference, 'Say which Hub: hubctl hubs delete HUB --yes', 'live');
  await cli.confirm(options.yes, `Delete the Hub "${hub.name}"? Nobody can post into it any more.`);
  const deleted = await cli.api.delete<Hub>(`/hubs/${segment(hub.id)}`);
  if (cli.json) return cli.output.document(deleted);
  cli.output.line('Deleted the Hub ', styled('bold', deleted.name), ' ', deleted.id);
  cli.output.note(styled('dim', `To have it back: hubctl hubs restore ${deleted.id}`));
}
