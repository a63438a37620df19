import type { Command } from 'commander';
import { failed } from '../../runtime/errors.ts';

/** Replaces `commands.ts` in the package for npm, which has neither SQLite nor the server. */
export function addBackupCommands(program: Command): void {
  for (const name of ['backup', 'restore', 'move']) {
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
