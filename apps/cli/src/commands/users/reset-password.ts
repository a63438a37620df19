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
    .description('make a link with which a user chooses a new password')
    .argument('[user]', 'the id, e-mail address or name')
    .action((user: string | undefined) => resetPassword(cli, user));
  helpNotes(command, {
    prints:
      'The link alone on standard output, this once; all else goes to standard error. It works once, and the\n' +
      'present password works until then. With --json: {"link", "expiresAt"}.',
    exits: ADMIN_EXITS,
    examples: [
      'hubctl users reset-password ada@example.com',
      'hubctl --local users reset-password ada@example.com     # for a lost owner, on the machine of the server',
    ],
  });
}

export async function resetPassword(cli: Cli, reference: string | undefined): Promise<void> {
  const missing = 'Say which user: hubctl users reset-password USER';
  const user = await userFor(cli, { reference, missing, matches: isEnabled });
  const issued = await cli.api.post<IssuedLink>(`/people/${segment(user.id)}/password-reset`);
  if (cli.json) return cli.output.document(issued);
  const until =
    issued.expiresAt === null ? '' : `, until ${showTimeAndDistance(issued.expiresAt, cli.deps.clock.now())}`;
  printLink(cli, issued.link, [
    `With this link ${user.name} (${user.email}) chooses a new password.`,
    `It works once${until}:`,
  ]);
}
