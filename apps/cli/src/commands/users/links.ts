import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedLink } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { showTimeAndDistance } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { isEnabled, userFor } from './resolve-user.ts';

export function addResetPassword(users: Command, cli: Cli): void {
  addCommand(users, 'reset-password', {
    about: 'Create a password reset link for a user',
    prints:
      'The link, on standard output. It is shown only once. Everything else goes to standard error. The link can be\n' +
      'used once. The current password works until the link is used. With --json: {"link", "expiresAt"}.',
    examples: [
      'hubctl users reset-password ada@example.com',
      'hubctl --local users reset-password ada@example.com     # for a locked-out owner, on the server machine',
    ],
  })
    .argument('[user]', 'User ID, e-mail address or name')
    .action(async (reference: string | undefined) => {
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
    });
}

export function addSetupLink(program: Command, cli: Cli): void {
  addCommand(program, 'setup-link', {
    about: 'Create a setup link for the first owner',
    prints:
      'The link, on standard output. It replaces any earlier setup link.\n' +
      'With --json: {"link", "expiresAt"}. Fails (exit 1) if there is already an owner.',
    examples: ['hubctl setup-link', 'hubctl setup-link --wait     # right after starting the server'],
  })
    .option('--wait', 'Wait until the server has started, for up to a minute')
    .action(async ({ wait = false }: { wait?: boolean }) => {
      const issued = await requestSetupLink(cli, wait ? cli.deps.clock.now() + MAX_WAIT_MS : 0);
      if (cli.json) return cli.output.document(issued);
      printLink(cli, issued.link, [
        'Open this link in a browser to become the owner of the server. The link can be used once:',
      ]);
    });
}

const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;

/** Requests a link, again and again until `endMs` if no server can be reached. */
async function requestSetupLink(cli: Cli, endMs: number): Promise<IssuedLink> {
  for (;;) {
    try {
      return await cli.api.post<IssuedLink>('/setup-link');
    } catch (error) {
      const isStarting = error instanceof CliError && ['unreachable', 'unavailable'].includes(error.code);
      if (!isStarting || cli.deps.clock.now() >= endMs) throw withOwnerHint(error);
    }
    await sleep(POLL_MS);
  }
}

/** Adds a hint on how to reset an owner's password, since an existing owner has probably lost access. */
function withOwnerHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.code !== 'conflict') return error;
  const hint = 'If an owner has lost access:\n  hubctl users reset-password OWNER\nTo list users:\n  hubctl users list';
  return error.with({ hint });
}

/** Prints a one-time link on standard output, and an explanation on standard error. */
export function printLink(cli: Cli, link: string, about: string[]): void {
  for (const line of about) cli.output.note(line);
  cli.output.note();
  cli.output.line(link);
  cli.output.note();
  cli.output.note(styled('yellow', "You won't see this link again. Anyone who has it can use it."));
}
