import type { ChangeHubBody, Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { warnOfNamesakes } from './namesakes.ts';

export function addRenameHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('rename')
    .description('Rename a Hub; its keys stay valid')
    .argument('[hub]', 'Hub ID or current name')
    .argument('[name]', 'New name (up to 64 characters)')
    .action((hub: string | undefined, name: string | undefined) => renameHub(cli, hub, name));
  helpNotes(command, {
    prints: 'The new name and the ID.\nWith --json: {"id", "name", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs rename Releases Deployments'],
  });
}

const USAGE = 'Specify a Hub and a new name: hubctl hubs rename HUB NAME';

async function renameHub(cli: Cli, reference: string | undefined, given: string | undefined): Promise<void> {
  const hub = await hubFor(cli, reference, USAGE, 'live');
  const name = await cli.response(given, USAGE, (prompts) =>
    prompts.text(`New name for the Hub:`, (response) => response !== '' || 'Enter a name.'),
  );
  const body: ChangeHubBody = { name };
  const renamed = await cli.api.patch<Hub>(`/hubs/${segment(hub.id)}`, body).catch((error) => {
    throw namingOptions(error, { name: given && 'The name' });
  });
  await warnOfNamesakes(cli, renamed);
  if (cli.json) return cli.output.document(renamed);
  cli.output.line(`Renamed "${hub.name}" to `, styled('bold', renamed.name), ' ', renamed.id);
}
