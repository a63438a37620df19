import type { ChangeUserBody, User } from '@hub/contract';
import { Argument, type Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { userFor } from './resolve-user.ts';
import { askRole, ROLES, type Role } from './role-option.ts';

export function addSetRole(users: Command, cli: Cli): void {
  const command = users
    .command('role')
    .description('Change the role of a user')
    .argument('[user]', 'User ID, e-mail address or name')
    .addArgument(new Argument('[role]', 'New role').choices(ROLES))
    .action((user: string | undefined, role: Role | undefined) => setRole(cli, user, role));
  helpNotes(command, {
    prints: 'The name and the new role.\nWith --json: {"id", "name", "email", "role", …}.',
    exits: ADMIN_EXITS,
    examples: ['hubctl users role ada@example.com admin'],
  });
}

const USAGE = 'Specify a user and a role: hubctl users role USER owner|admin|member';

async function setRole(cli: Cli, reference: string | undefined, given: Role | undefined): Promise<void> {
  if (given === undefined && !cli.canAsk) throw usageError(USAGE);
  const user = await userFor(cli, { reference, missing: USAGE });
  const role = await cli.response(given, USAGE, askRole);
  const changed = await cli.api.patch<User>(`/people/${segment(user.id)}`, { role } satisfies ChangeUserBody);
  if (cli.json) return cli.output.document(changed);
  const before = user.role === changed.role ? '' : ` (was ${user.role})`;
  cli.output.line(styled('bold', changed.name), ` is now ${changed.role}${before} ${changed.id}`);
}
