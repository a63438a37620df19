import type { User } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import type { Segment } from '../../runtime/output.ts';
import { printFields } from '../../runtime/table.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { userState } from './list.ts';
import { userFor } from './resolve-user.ts';

export function addShowUser(users: Command, cli: Cli): void {
  const command = users
    .command('show')
    .description('Show a user')
    .argument('[user]', 'User ID, e-mail address or name')
    .action((user: string | undefined) => showUser(cli, user));
  helpNotes(command, {
    prints:
      'The details of the user.\nWith --json: {"id", "name", "email", "role", "createdAt", "disabledAt", "lastSeenAt"}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users show ada@example.com'],
  });
}

async function showUser(cli: Cli, reference: string | undefined): Promise<void> {
  const user = await userFor(cli, { reference, missing: 'Specify a user: hubctl users show USER' });
  if (cli.json) return cli.output.document(user);
  printFields(cli.output, fieldsOf(user, cli.deps.clock.now()));
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
