import type { User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { isEnabled, userFor } from './resolve-user.ts';

export function addDisableUser(users: Command, cli: Cli): void {
  const command = users
    .command('disable')
    .description('lock a user out at once; what the user wrote stays')
    .argument('[user]', 'the id, e-mail address or name')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((user: string | undefined, options: { yes?: boolean }) => disableUser(cli, user, options));
  helpNotes(command, {
    prints: 'The name and id.\nWith --json: {"id", "name", "disabledAt", …}.',
    more: {
      title: 'What ends',
      text:
        'Sessions, personal access tokens and live views of the user, for good. API keys that the\n' +
        'user has issued go on working: hubctl keys list shows them.',
    },
    exits: ADMIN_EXITS,
    examples: ['hubctl users disable ada@example.com', 'hubctl users disable ada@example.com --yes --json'],
  });
}

export async function disableUser(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const missing = 'Say which user: hubctl users disable USER --yes';
  const user = await userFor(cli, { reference, missing, matches: isEnabled });
  await cli.confirm(options.yes, `Disable ${user.name} (${user.email})? All sessions and tokens end at once.`);
  const disabled = await cli.api.post<User>(`/people/${segment(user.id)}/deactivation`);
  if (cli.json) return cli.output.document(disabled);
  cli.output.line('Disabled ', styled('bold', disabled.name), ` (${disabled.email}) ${disabled.id}`);
  cli.output.note(styled('dim', `To let the user in again: hubctl users enable ${disabled.email}`));
}
