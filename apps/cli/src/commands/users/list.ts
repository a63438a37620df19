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
    .description('list who has an account, newest first')
    .addOption(new Option('--state <state>', 'which users').choices(['enabled', 'disabled', 'all']).default('all'))
    .action((options: { state: UserState }) => listUsers(cli, options));
  helpNotes(command, {
    prints: 'A table.\nWith --json: all of them, {"items": [{"id", "name", "email", "role", "disabledAt", …}]}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users list', 'hubctl users list --state disabled --json'],
  });
}

export async function listUsers(cli: Cli, { state }: { state: UserState }): Promise<void> {
  const all = await cli.api.all<User>('/people');
  const items = all.filter((user) => state === 'all' || isEnabled(user) === (state === 'enabled'));
  if (cli.json) return cli.output.document({ items });
  if (items.length > 0) return printTable(cli.output, columns(cli.deps.clock.now(), items), items);
  cli.output.note(
    state === 'disabled'
      ? 'Nobody is disabled.'
      : 'Nobody has an account yet. The owner is made with: hubctl setup-link',
  );
}

function columns(now: number, items: readonly User[]): Column<User>[] {
  const lastSeen: Column<User> = {
    title: 'LAST SEEN',
    cell: (user) => (user.lastSeenAt === null ? 'never' : showDistance(user.lastSeenAt, now)),
    dropOrder: 2,
  };
  // Members are not told of anybody, themselves included.
  const isNotified = items.some(({ lastSeenAt }) => lastSeenAt !== null);
  return [
    { title: 'NAME', cell: (user) => user.name },
    { title: 'E-MAIL', cell: (user) => user.email },
    { title: 'ROLE', cell: (user) => user.role },
    { title: 'STATE', cell: (user) => userState(user), dropOrder: 3 },
    ...(isNotified ? [lastSeen] : []),
    // Commands take the address as well.
    { title: 'ID', cell: (user) => user.id, dropOrder: 1 },
  ];
}

export function userState(user: Pick<User, 'disabledAt'>): Segment {
  return user.disabledAt === null ? styled('green', 'enabled') : styled('red', 'disabled');
}
