import type { IssuedLink } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { CliError } from '../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../runtime/help.ts';
import { printLink } from './users/print-link.ts';

export function addSetupLink(program: Command, cli: Cli): void {
  const command = program
    .command('setup-link')
    .description('Create a setup link for the first owner')
    .action(() => setupLink(cli));
  helpNotes(command, {
    prints:
      'The link, on standard output. It replaces any earlier setup link.\n' +
      'With --json: {"link", "expiresAt"}. Fails (exit 1) if there is already an owner.',
    exits: ADMIN_EXITS,
    examples: ['hubctl setup-link'],
  });
}

async function setupLink(cli: Cli): Promise<void> {
  const issued = await cli.api.post<IssuedLink>('/setup-link').catch((error) => {
    throw withOwnerHint(error);
  });
  if (cli.json) return cli.output.document(issued);
  printLink(cli, issued.link, [
    'Open this link in a browser to become the owner of the server. The link can be used once:',
  ]);
}

/** Adds a hint on how to reset an owner's password, since an existing owner has probably lost access. */
function withOwnerHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.code !== 'conflict') return error;
  const hint = 'If an owner has lost access:\n  hubctl users reset-password OWNER\nTo list users:\n  hubctl users list';
  return new CliError(error.code, error.exitCode, error.message, { ...error.details, hint });
}
