import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addBackupCommand } from './backup.ts';
import { addMoveCommand } from './move.ts';
import { addRestoreCommand } from './restore.ts';

/** Adds the commands that need SQLite or the server's program. */
export function addBackupCommands(program: Command, cli: Cli): void {
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
  addMoveCommand(program, cli);
}
