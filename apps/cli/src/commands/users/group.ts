import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCreateUser } from './create.ts';
import { addDisableUser } from './disable.ts';
import { addEnableUser } from './enable.ts';
import { addInvitations } from './invitations.ts';
import { addInviteUser } from './invite.ts';
import { addListUsers } from './list.ts';
import { addResetPassword } from './reset-password.ts';
import { addSetRole } from './role.ts';
import { addShowUser } from './show.ts';

export function addUserCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('Manage users, invitations and roles');
  addListUsers(users, cli);
  addShowUser(users, cli);
  addCreateUser(users, cli);
  addInviteUser(users, cli);
  addInvitations(users, cli);
  addSetRole(users, cli);
  addResetPassword(users, cli);
  addDisableUser(users, cli);
  addEnableUser(users, cli);
}
