import type { Command } from 'commander';
import { failed } from '../../runtime/errors.ts';

/** Replaces `backup.ts` in the package for npm, which has no SQLite. */
export function addBackupCommands(program: Command): void {
  for (const name of ['backup', 'restore']) {
    const command = program.command(name, { hidden: true }).argument('[arguments...]').allowUnknownOption();
    command.helpOption(false).action(() => {
      throw failed(
        'unsupported',
        `hubctl ${name} needs SQLite, which the npm package of hubctl does not have.`,
        'Use the hubctl executable, or hubctl from the repository of the server.',
      );
    });
  }
}
