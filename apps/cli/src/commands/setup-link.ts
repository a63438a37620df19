import type { IssuedLink } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { CliError } from '../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../runtime/help.ts';
import { printLink } from './users/print-link.ts';

export function addSetupLink(program: Command, cli: Cli): void {
  const command = program
    .command('setup-link')
    .description('make the link with which the first owner sets the server up')
    .action(() => setupLink(cli));
  helpNotes(command, {
    prints:
      'The link alone on standard output; it takes the place of the former one.\n' +
      'With --json: {"link", "expiresAt"}. Once there is an owner, this is refused (exit 1).',
    exits: ADMIN_EXITS,
    examples: ['hubctl setup-link'],
  });
}

export async function setupLink(cli: Cli): Promise<void> {
  const issued = await cli.api.post<IssuedLink>('/setup-link').catch((error) => {
    throw withWayForOwners(error);
  });
  if (cli.json) return cli.output.document(issued);
  printLink(cli, issued.link, ['Open this link in a browser to become the owner of the server. It works once:']);
}

/** Whoever asks for this link once there is an owner has mostly lost the way in. */
function withWayForOwners(error: unknown): unknown {
  if (!(error instanceof CliError) || error.code !== 'conflict') return error;
  const hint =
    'For an owner who has lost the way in:\n  hubctl users reset-password OWNER\nTo see who that is:\n  hubctl users list';
  return new CliError(error.code, error.exitCode, error.message, { ...error.details, hint });
}
