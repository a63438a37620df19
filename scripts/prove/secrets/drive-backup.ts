import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openToOthers } from './file-modes.ts';
import { hubctl, type Terminal } from './hubctl-process.ts';

/**
 * Takes a backup of the running server and restores it, as an admin would. Both the backup and the restored folder are
 * searched. Returns the files that other users may read.
 */
export async function exerciseBackup(terminal: Terminal, folder: string): Promise<string[]> {
  mkdirSync(folder, { mode: 0o700 });
  const run = hubctl(terminal);
  await run(['backup', join(folder, 'backup.db')], 0);
  await run(['restore', join(folder, 'backup.db'), '--data-dir', join(folder, 'restored')], 0);
  terminal.hunt.noteFiles(folder, 'taken and restored by hubctl');
  return openToOthers(folder);
}
