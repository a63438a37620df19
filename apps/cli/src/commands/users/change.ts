import type { ChangeUserBody, User } from '@hub/contract';
import { Argument, type Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { askRole, ROLES, type Role } from './create.ts';
import { isEnabled, userFor } from './resolve-user.ts';

export function addSetRole(users: Command, cli: Cli): void {
  addCommand(users, 'role', {
    about: 'Change the role of a user',
    prints: 'The name and the new role.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: ['hubctl users role ada@example.com admin'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .addArgument(new Argument('[role]', 'New role').choices(ROLES))
    .action(async (reference: string | undefined, given: Role | undefined) => {
      if (given === undefined && !cli.canAsk) throw usageError(USAGE);
      const user = await userFor(cli, { reference, missing: USAGE });
      const role = await cli.response(given, USAGE, askRole);
      const changed = await cli.api.patch<User>(`/people/${segment(user.id)}`, { role } satisfies ChangeUserBody);
      const before = user.role === changed.role ? '' : ` (was ${user.role})`;
      cli.output.result(changed, styled('bold', changed.name), ` is now ${changed.role}${before} ${changed.id}`);
    });
}

const USAGE = 'Specify a user and a role: hubctl users role USER owner|admin|member';

export function addDisableUser(users: Command, cli: Cli): void {
  addCommand(users, 'disable', {
    about: 'Disable a user immediately; their posts are kept',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "disabledAt", …}.',
    more: {
      title: 'Effects',
      text:
        "Permanently ends the user's sessions and live views, and revokes their personal access tokens.\n" +
        'API keys that the user issued keep working: hubctl keys list shows them.',
    },
    examples: ['hubctl users disable ada@example.com', 'hubctl users disable ada@example.com --yes --json'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: { yes?: boolean }) => {
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
    });
}

export function addEnableUser(users: Command, cli: Cli): void {
  addCommand(users, 'enable', {
    about: 'Enable a disabled user; the password is unchanged',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "disabledAt": null, …}.',
    examples: ['hubctl users enable ada@example.com'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
      const missing = 'Specify a user: hubctl users enable USER';
      const user = await userFor(cli, { reference, missing, matches: (each) => !isEnabled(each) });
      const enabled = await cli.api.post<User>(`/people/${segment(user.id)}/reactivation`);
      cli.output.result(enabled, 'Enabled ', styled('bold', enabled.name), ` (${enabled.email}) ${enabled.id}`);
    });
}
