import type { Role, User } from '@hub/contract';
import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { namingOptions, usageError } from '../../runtime/errors.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { type Segment, styled } from '../../runtime/output.ts';
import { isEnabled, userFor } from '../../runtime/resolve.ts';
import { type Column, emailAddress, freeText, printFields, printList } from '../../runtime/table.ts';
import { addCreateUser, addResetPassword, askRole, ROLES } from './accounts.ts';
import { addInvitations, addInviteUser } from './invitations.ts';

export function addUserCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('Manage users, invitations and roles');

  addCommand(users, 'list', {
    about: 'List users, newest first',
    prints: 'A table of users.\nWith --json: {"items": [{"id", "name", "email", "role", "disabledAt", …}]}.',
    examples: ['hubctl users list', 'hubctl users list --state disabled --json'],
  })
    .addOption(new Option('--state <state>', 'Filter by state').choices(['enabled', 'disabled', 'all']).default('all'))
    .action(async ({ state }: { state: 'enabled' | 'disabled' | 'all' }) => {
      const all = await cli.api.all('GET /users');
      const items = all.filter((user) => state === 'all' || isEnabled(user) === (state === 'enabled'));
      const none = state === 'disabled' ? 'No disabled users.' : 'No users yet. To create the owner: hubctl setup-link';
      printList(cli.output, columns(cli.deps.clock.now(), items), items, none);
    });

  addCommand(users, 'show', {
    about: 'Show a user',
    prints:
      'The details of the user.\nWith --json: {"id", "name", "email", "role", "createdAt", "disabledAt", "lastSeenAt"}.',
    examples: ['hubctl users show ada@example.com'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
      const user = await userFor(cli, { reference, missing: 'Specify a user: hubctl users show USER' });
      const now = cli.deps.clock.now();
      printFields(cli.output, user, [
        ['Name', user.name],
        ['E-mail', user.email],
        ['ID', user.id],
        ['Role', user.role],
        ['State', userState(user)],
        ['Created', showTimeAndDistance(user.createdAt, now)],
        ['Last seen', user.lastSeenAt === null ? 'never' : showTimeAndDistance(user.lastSeenAt, now)],
        ['Disabled', user.disabledAt && showTimeAndDistance(user.disabledAt, now)],
      ]);
    });

  addCreateUser(users, cli);
  addInviteUser(users, cli);
  addInvitations(users, cli);

  addCommand(users, 'edit', {
    about: 'Change the name of a user',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: ["hubctl users edit ada@example.com --name 'Ada Lovelace'"],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .option('--name <name>', 'Set a new name')
    .action(async (reference: string | undefined, { name: given }: { name?: string }) => {
      const missing = 'Specify a user and a name: hubctl users edit USER --name NAME';
      if (given === undefined && !cli.canAsk) throw usageError(missing);
      const user = await userFor(cli, { reference, missing });
      const name = await cli.text(given, missing, `New name for ${user.name}:`, 'Enter a name.');
      const changed = await cli.api
        .request('PATCH /users/{userId}', { userId: user.id, body: { name } })
        .catch(namingOptions({ name: given && '--name' }));
      cli.output.result(changed, `Renamed ${user.name} to `, styled('bold', changed.name), ` ${changed.id}`);
    });

  addCommand(users, 'role', {
    about: 'Change the role of a user',
    prints: 'The name and the new role.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: ['hubctl users role ada@example.com admin'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .addArgument(new Argument('[role]', 'New role').choices(ROLES))
    .action(async (reference: string | undefined, given: Role | undefined) => {
      const missing = 'Specify a user and a role: hubctl users role USER owner|admin|member';
      if (given === undefined && !cli.canAsk) throw usageError(missing);
      const user = await userFor(cli, { reference, missing });
      const role = await cli.valueOrPrompt(given, missing, askRole);
      const changed = await cli.api.request('PATCH /users/{userId}', { userId: user.id, body: { role } });
      const before = user.role === changed.role ? '' : ` (was ${user.role})`;
      cli.output.result(changed, styled('bold', changed.name), ` is now ${changed.role}${before} ${changed.id}`);
    });

  addResetPassword(users, cli);

  addCommand(users, 'sign-out', {
    about: 'Sign a user out everywhere, for example after a leak; the account stays enabled',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "email", …}.',
    more: {
      title: 'Effects',
      text:
        "Permanently ends the user's sessions and live views, and revokes their personal access tokens.\n" +
        'The password still works: hubctl users reset-password lets the user choose a new one.',
    },
    examples: ['hubctl users sign-out ada@example.com', 'hubctl users sign-out ada@example.com --yes --json'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: { yes?: boolean }) => {
      const missing = 'Specify a user: hubctl users sign-out USER --yes';
      const user = await userFor(cli, { reference, missing, matches: isEnabled });
      await cli.confirm(
        options.yes,
        `Sign out ${user.name} (${user.email})? All their sessions end and their tokens are revoked immediately.`,
      );
      const signedOut = await cli.api.request('POST /users/{userId}/sign-out', { userId: user.id });
      cli.output.result(signedOut, 'Signed out ', styled('bold', user.name), ` (${user.email}) everywhere ${user.id}`);
      cli.output.hint(`If the password has leaked, too: hubctl users reset-password ${user.email}`);
    });

  addCommand(users, 'reset-factors', {
    about: 'Remove the second factors of a user who has lost them, recovery codes included',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "email", …}.',
    examples: ['hubctl users reset-factors ada@example.com', 'hubctl users reset-factors ada@example.com --yes --json'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: { yes?: boolean }) => {
      const missing = 'Specify a user: hubctl users reset-factors USER --yes';
      const user = await userFor(cli, { reference, missing });
      await cli.confirm(
        options.yes,
        `Remove the second factors of ${user.name} (${user.email})? Their password alone signs in again.`,
      );
      const reset = await cli.api.request('DELETE /users/{userId}/factors', { userId: user.id });
      cli.output.result(
        reset,
        'Removed the second factors of ',
        styled('bold', user.name),
        ` (${user.email}) ${user.id}`,
      );
    });

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
      const disabled = await cli.api.request('POST /users/{userId}/deactivation', { userId: user.id });
      cli.output.result(disabled, 'Disabled ', styled('bold', disabled.name), ` (${disabled.email}) ${disabled.id}`);
      cli.output.hint(`To enable the user again: hubctl users enable ${disabled.email}`);
    });

  addCommand(users, 'enable', {
    about: 'Enable a disabled user; the password is unchanged',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "disabledAt": null, …}.',
    examples: ['hubctl users enable ada@example.com'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
      const missing = 'Specify a user: hubctl users enable USER';
      const user = await userFor(cli, { reference, missing, matches: (each) => !isEnabled(each) });
      const enabled = await cli.api.request('POST /users/{userId}/reactivation', { userId: user.id });
      cli.output.result(enabled, 'Enabled ', styled('bold', enabled.name), ` (${enabled.email}) ${enabled.id}`);
    });
}

function columns(now: number, items: readonly User[]): Column<User>[] {
  const lastSeen: Column<User> = {
    title: 'LAST SEEN',
    cell: (user) => (user.lastSeenAt === null ? 'never' : showDistance(user.lastSeenAt, now)),
    dropOrder: 2,
  };
  // The server does not report last-seen times to members.
  const hasLastSeen = items.some(({ lastSeenAt }) => lastSeenAt !== null);
  return [
    { title: 'NAME', cell: (user) => freeText(user.name) },
    { title: 'E-MAIL', cell: (user) => emailAddress(user.email) },
    { title: 'ROLE', cell: (user) => user.role },
    { title: 'STATE', cell: userState, dropOrder: 3 },
    ...(hasLastSeen ? [lastSeen] : []),
    // May be dropped, since commands also accept the e-mail address.
    { title: 'ID', cell: (user) => user.id, dropOrder: 1 },
  ];
}

export function userState({ disabledAt }: Pick<User, 'disabledAt'>): Segment {
  return disabledAt === null ? styled('green', 'enabled') : styled('red', 'disabled');
}
