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
    .description('Disable a user immediately; their posts are kept')
    .argument('[user]', 'User ID, e-mail address or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action((user: string | undefined, options: { yes?: boolean }) => disableUser(cli, user, options));
  helpNotes(command, {
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "disabledAt", …}.',
    more: {
      title: 'Effects',
      text:
        "Permanently ends the user's sessions and live views, and revokes their personal access tokens.\n" +
        'API keys that the user issued keep working: hubctl keys list shows them.',
    },
    exits: ADMIN_EXITS,
    examples: ['hubctl users disable ada@example.com', 'hubctl users disable ada@example.com --yes --json'],
  });
}

async function disableUser(cli: Cli, reference: string | undefined, options: { yes?: boolean }): Promise<void> {
  const missing = 'Specify a user: hubctl users disable USER --yes';
  const user = await userFor(cli, { reference, missing, matches: isEnabled });
  await cli.confirm(
    options.yes,
    `Disable ${user.name} (${user.email})? All their sessions end and their tokens are revoked immediately.`,
  );
  const disabled = await cli.api.post<User>(`/people/${segment(user.id)}/deactivation`);
  if (cli.json) return cli.output.document(disabled);
  cli.output.line('Disabled ', styled('bold', disabled.name), ` (${disabled.email}) ${disabled.id}`);
  cli.output.note(styled('dim', `To enable the user again: hubctl users enable ${disabled.email}`));
}
