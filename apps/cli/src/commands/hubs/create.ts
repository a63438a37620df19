import type { CreateHubBody, Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { warnOfNamesakes } from './namesakes.ts';

export function addCreateHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('create')
    .description('Create a Hub')
    .argument('[name]', 'Name of the Hub (up to 64 characters)')
    .action((name: string | undefined) => createHub(cli, name));
  helpNotes(command, {
    prints: 'The name and ID of the new Hub.\nWith --json: {"id", "name", "createdAt", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl hubs create Releases', 'hubctl hubs create "Night shift" --json'],
  });
}

async function createHub(cli: Cli, given: string | undefined): Promise<void> {
  const name = await cli.response(given, 'Specify a name: hubctl hubs create NAME', (prompts) =>
    prompts.text('Name of the new Hub:', (response) => response !== '' || 'Enter a name.'),
  );
  const hub = await cli.api.post<Hub>('/hubs', { name } satisfies CreateHubBody).catch((error) => {
    throw namingOptions(error, { name: given && 'The name' });
  });
  await warnOfNamesakes(cli, hub);
  if (cli.json) return cli.output.document(hub);
  cli.output.line('Created Hub ', styled('bold', hub.name), ' ', hub.id);
  cli.output.note(styled('dim', `Next, issue a key to post with: hubctl keys issue --hub ${hub.id}`));
}
