import { Argument, Option } from '@commander-js/extra-typings';
import type { User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { count, showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { type Segment, styled } from '../../runtime/output.ts';
import { isEnabled, userFor } from '../../runtime/resolve.ts';
import { type Column, EMAIL_WIDTH, freeText, printFields, printList } from '../../runtime/table.ts';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';
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
    .action(async ({ state }) => {
      const all = await cli.api.all('GET /users');
      const items = all.filter((user) => state === 'all' || isEnabled(user) === (state === 'enabled'));
      const none = state === 'disabled' ? 'No disabled users.' : 'No users yet. To create the owner: hubctl setup-link';
      printList(cli.output, columns(cli.deps.clock.now(), items), items, none);
    });

  addCommand(users, 'show [user]', {
    about: 'Show a user',
    prints:
      'The details of the user.\nWith --json: {"id", "name", "email", "role", "createdAt", "disabledAt", "lastSeenAt"}.',
    examples: ['hubctl users show ada@example.com'],
  }).action(async (reference) => {
    const user = await userFor(cli, reference);
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

  addCommand(users, 'edit [user]', {
    about: 'Change the name of a user',
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: ["hubctl users edit ada@example.com --name 'Ada Lovelace'"],
  })
    .option('--name <name>', 'Set a new name')
    .action(async (reference, options) => {
      const user = await userFor(cli, reference);
      const name = await cli.text(options.name, `New name for ${user.name}:`, '--name');
      const changed = await cli.api.request('PATCH /users/{userId}', { userId: user.id, body: { name } });
      cli.output.result(changed, `Renamed ${user.name} to `, styled('bold', changed.name), ` ${changed.id}`);
    });

  addCommand(users, 'role [user]', {
    about: 'Change the role of a user',
    prints: 'The name and the new role.\nWith --json: {"id", "name", "email", "role", …}.',
    examples: ['hubctl users role ada@example.com admin'],
  })
    .addArgument(new Argument('[role]', 'New role').choices(ROLES))
    .action(async (reference, given) => {
      const user = await userFor(cli, reference);
      const role = await cli.valueOrPrompt(given, askRole);
      const changed = await cli.api.request('PATCH /users/{userId}', { userId: user.id, body: { role } });
      const before = user.role === changed.role ? '' : ` (was ${user.role})`;
      cli.output.result(changed, styled('bold', changed.name), ` is now ${changed.role}${before} ${changed.id}`);
    });

  addResetPassword(users, cli);
  for (const [name, change] of Object.entries(CHANGES)) addChange(users, cli, name, change);
}

/** A change to a user that needs no other value. */
interface UserChange {
  about: string;
  effects?: string;
  /** The question to confirm, before and after the name of the user. Without it, hubctl does not ask. */
  question?: [verb: string, effect: string];
  matches?: (user: User) => boolean;
  request: (api: WorkspaceApi, userId: string) => Promise<User>;
  /** Whether hubctl says first what the user is still responsible for. */
  leavesKeys?: boolean;
  /** The start of the result, such as `Disabled`. */
  done: string;
  hint?: (email: string) => string;
}

const SIGNS_OUT = "Permanently ends the user's sessions and live views, and revokes their personal access tokens.\n";

const ENDS_ALL = 'All their sessions end and their tokens are revoked immediately.';

const CHANGES: Readonly<Record<string, UserChange>> = {
  'sign-out': {
    about: 'Sign a user out everywhere, for example after a leak; the account stays enabled',
    effects: `${SIGNS_OUT}The password still works: hubctl users reset-password lets the user choose a new one.`,
    question: ['Sign out', ENDS_ALL],
    matches: isEnabled,
    request: (api, userId) => api.request('POST /users/{userId}/sign-out', { userId }),
    done: 'Signed out everywhere:',
    hint: (email) => `If the password has leaked, too: hubctl users reset-password ${email}`,
  },
  'reset-factors': {
    about: 'Remove the second factors of a user who has lost them, recovery codes included',
    question: ['Remove the second factors of', 'Their password alone signs in again.'],
    request: (api, userId) => api.request('DELETE /users/{userId}/factors', { userId }),
    done: 'Removed the second factors of',
  },
  disable: {
    about: 'Disable a user immediately; their posts are kept',
    effects: `${SIGNS_OUT}API keys that the user issued keep working: hubctl keys list shows them.`,
    question: ['Disable', ENDS_ALL],
    matches: isEnabled,
    request: (api, userId) => api.request('POST /users/{userId}/deactivation', { userId }),
    leavesKeys: true,
    done: 'Disabled',
    hint: (email) => `To enable the user again: hubctl users enable ${email}`,
  },
  enable: {
    about: 'Enable a disabled user; the password is unchanged',
    matches: (user) => !isEnabled(user),
    request: (api, userId) => api.request('POST /users/{userId}/reactivation', { userId }),
    done: 'Enabled',
  },
};

function addChange(users: Command, cli: Cli, name: string, change: UserChange): void {
  const { about, effects, question, matches, request, leavesKeys, done, hint } = change;
  const command = addCommand(users, `${name} [user]`, {
    about,
    prints: 'The name and ID of the user.\nWith --json: {"id", "name", "email", "disabledAt", …}.',
    ...(effects && { more: { title: 'Effects', text: effects } }),
    examples: [`hubctl users ${name} ada@example.com${question ? ' --yes' : ''}`],
  });
  if (question) command.option('-y, --yes', 'Skip the confirmation');
  command.action(async (reference, { yes }: { yes?: boolean }) => {
    const user = await userFor(cli, reference, matches);
    if (leavesKeys) await noteKeys(cli, user);
    if (question) await cli.confirm(yes, `${question[0]} ${user.name} (${user.email})? ${question[1]}`);
    const changed = await request(cli.api, user.id);
    cli.output.result(changed, `${done} `, styled('bold', changed.name), ` (${changed.email}) ${changed.id}`);
    if (hint) cli.output.hint(hint(changed.email));
  });
}

async function noteKeys(cli: Cli, { id, name }: User): Promise<void> {
  const { items } = await cli.api.request('GET /users/{userId}/responsibilities', { userId: id });
  const keys = items.reduce((sum, hub) => sum + hub.keys, 0);
  const effect = keys === 1 ? 'it keeps working and is flagged' : 'they keep working and are flagged';
  if (keys > 0) cli.output.note(`${count(keys, 'key')} issued by ${name}: ${effect}.`);
}

function columns(now: number, items: readonly User[]): Column<User>[] {
  const lastSeen: Column<User> = {
    title: 'LAST SEEN',
    cell: (user) => (user.lastSeenAt === null ? 'never' : showDistance(user.lastSeenAt, now)),
    dropOrder: 2,
  };
  // The server does not report last-seen times to members.
  return userColumns(...(items.some(({ lastSeenAt }) => lastSeenAt !== null) ? [lastSeen] : []));
}

export function userColumns<U extends Pick<User, 'id' | 'name' | 'email' | 'role' | 'disabledAt'>>(
  ...more: Column<U>[]
): Column<U>[] {
  return [
    { title: 'NAME', cell: (user) => freeText(user.name) },
    { title: 'E-MAIL', cell: (user) => freeText(user.email, EMAIL_WIDTH) },
    { title: 'ROLE', cell: (user) => user.role },
    { title: 'STATE', cell: userState, dropOrder: 3 },
    ...more,
    // May be dropped, since commands also accept the e-mail address.
    { title: 'ID', cell: (user) => user.id, dropOrder: 1 },
  ];
}

function userState({ disabledAt }: Pick<User, 'disabledAt'>): Segment {
  return disabledAt === null ? styled('green', 'enabled') : styled('red', 'disabled');
}
