import type { User } from '@hub/contract';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { type Segment, styled } from '../../runtime/output.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { showDistance } from '../../runtime/times.ts';
import { isEnabled } from './resolve-user.ts';

type UserState = 'enabled' | 'disabled' | 'all';

export function addListUsers(users: Command, cli: Cli): void {
  const command = users
    .command('list')
    .description('List users, newest first')
    .addOption(new Option('--state <state>', 'Filter by state').choices(['enabled', 'disabled', 'all']).default('all'))
    .action((options: { state: UserState }) => listUsers(cli, options));
  helpNotes(command, {
    prints: 'A table of users.\nWith --json: {"items": [{"id", "name", "email", "role", "disabledAt", …}]}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users list', 'hubctl users list --state disabled --json'],
  });
}

async function listUsers(cli: Cli, { state }: { state: UserState }): Promise<void> {
  const all = await cli.api.all<User>('/people');
  const items = all.filter((user) => state === 'all' || isEnabled(user) === (state === 'enabled'));
  if (cli.json) return cli.output.document({ items });
  if (items.length > 0) return printTable(cli.output, columns(cli.deps.clock.now(), items), items);
  cli.output.note(state === 'disabled' ? 'No disabled users.' : 'No users yet. To create the owner: hubctl setup-link');
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
