import type { User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { isEnabled, userFor } from './resolve-user.ts';

export function addEnableUser(users: Command, cli: Cli): void {
  const command = users
    .command('enable')
    .description('Enable a disabled user; the password is unchanged')
    .argument('[user]', 'User ID, e-mail address or name')
    .action((user: string | undefined) => enableUser(cli, user));
  helpNotes(command, {
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "disabledAt": null, …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users enable ada@example.com'],
  });
}

async function enableUser(cli: Cli, reference: string | undefined): Promise<void> {
  const missing = 'Specify a user: hubctl users enable USER';
  const user = await userFor(cli, { reference, missing, matches: (each) => !isEnabled(each) });
  const enabled = await cli.api.post<User>(`/people/${segment(user.id)}/reactivation`);
  if (cli.json) return cli.output.document(enabled);
  cli.output.line('Enabled ', styled('bold', enabled.name), ` (${enabled.email}) ${enabled.id}`);
}
