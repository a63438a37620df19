import type { IssuedLink } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { printLink } from './print-link.ts';
import { isEnabled, userFor } from './resolve-user.ts';

export function addResetPassword(users: Command, cli: Cli): void {
  const command = users
    .command('reset-password')
    .description('Create a password reset link for a user')
    .argument('[user]', 'User ID, e-mail address or name')
    .action((user: string | undefined) => resetPassword(cli, user));
  helpNotes(command, {
    prints:
      'The link, on standard output. It is shown only once. Everything else goes to standard error. The link can be\n' +
      'used once. The current password works until the link is used. With --json: {"link", "expiresAt"}.',
    exits: ADMIN_EXITS,
    examples: [
      'hubctl users reset-password ada@example.com',
      'hubctl --local users reset-password ada@example.com     # for a locked-out owner, on the server machine',
    ],
  });
}

async function resetPassword(cli: Cli, reference: string | undefined): Promise<void> {
  const missing = 'Specify a user: hubctl users reset-password USER';
  const user = await userFor(cli, { reference, missing, matches: isEnabled });
  const issued = await cli.api.post<IssuedLink>(`/people/${segment(user.id)}/password-reset`);
  if (cli.json) return cli.output.document(issued);
  const expiry =
    issued.expiresAt === null ? '' : ` and expires ${showTimeAndDistance(issued.expiresAt, cli.deps.clock.now())}`;
  printLink(cli, issued.link, [
    `Send this link to ${user.name} (${user.email}) to set a new password.`,
    `The link can be used once${expiry}:`,
  ]);
}
