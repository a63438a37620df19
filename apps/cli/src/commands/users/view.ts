import type { User } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { type Segment, styled } from '../../runtime/output.ts';
import { type Column, printFields, printList } from '../../runtime/table.ts';
import { isEnabled, userFor } from './resolve-user.ts';

type UserState = 'enabled' | 'disabled' | 'all';

export function addListUsers(users: Command, cli: Cli): void {
  addCommand(users, 'list', {
    about: 'List users, newest first',
    prints: 'A table of users.\nWith --json: {"items": [{"id", "name", "email", "role", "disabledAt", …}]}.',
    examples: ['hubctl users list', 'hubctl users list --state disabled --json'],
  })
    .addOption(new Option('--state <state>', 'Filter by state').choices(['enabled', 'disabled', 'all']).default('all'))
    .action(async ({ state }: { state: UserState }) => {
      const all = await cli.api.all<User>('/people');
      const items = all.filter((user) => state === 'all' || isEnabled(user) === (state === 'enabled'));
      const none = state === 'disabled' ? 'No disabled users.' : 'No users yet. To create the owner: hubctl setup-link';
      printList(cli.output, columns(cli.deps.clock.now(), items), items, none);
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
    { title: 'NAME', cell: (user) => user.name },
    { title: 'E-MAIL', cell: (user) => user.email },
    { title: 'ROLE', cell: (user) => user.role },
    { title: 'STATE', cell: (user) => userState(user), dropOrder: 3 },
    ...(hasLastSeen ? [lastSeen] : []),
    // May be dropped, since commands also accept the e-mail address.
    { title: 'ID', cell: (user) => user.id, dropOrder: 1 },
  ];
}

export function userState(user: Pick<User, 'disabledAt'>): Segment {
  return user.disabledAt === null ? styled('green', 'enabled') : styled('red', 'disabled');
}

export function addShowUser(users: Command, cli: Cli): void {
  addCommand(users, 'show', {
    about: 'Show a user',
    prints:
      'The details of the user.\nWith --json: {"id", "name", "email", "role", "createdAt", "disabledAt", "lastSeenAt"}.',
    examples: ['hubctl users show ada@example.com'],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
      const user = await userFor(cli, { reference, missing: 'Specify a user: hubctl users show USER' });
      if (cli.json) return cli.output.document(user);
      printFields(cli.output, fieldsOf(user, cli.deps.clock.now()));
    });
}

function fieldsOf(user: User, now: number): [string, Segment][] {
  return [
    ['Name', user.name],
    ['E-mail', user.email],
    ['ID', user.id],
    ['Role', user.role],
    ['State', userState(user)],
    ['Created', showTimeAndDistance(user.createdAt, now)],
    ['Last seen', user.lastSeenAt === null ? 'never' : showTimeAndDistance(user.lastSeenAt, now)],
    ...(user.disabledAt === null ? [] : [['Disabled', showTimeAndDistance(user.disabledAt, now)] as [string, Segment]]),
  ];
}
