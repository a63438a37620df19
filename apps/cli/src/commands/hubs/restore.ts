import type { Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { segment } from '../../runtime/workspace-api.ts';

export function addRestoreHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('restore')
    .description('Restore a deleted Hub; its keys work again')
    .argument('[deleted-hub]', 'Hub ID or name')
    .action((hub: string | undefined) => restoreHub(cli, hub));
  helpNotes(command, {
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs list --state deleted', 'hubctl hubs restore Releases'],
  });
}

async function restoreHub(cli: Cli, reference: string | undefined): Promise<void> {
  const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs restore HUB', 'deleted');
  const restored = await cli.api.post<Hub>(`/hubs/${segment(hub.id)}/restoration`);
  if (cli.json) return cli.output.document(restored);
  cli.output.line('Restored Hub ', styled('bold', restored.name), ' ', restored.id);
}
