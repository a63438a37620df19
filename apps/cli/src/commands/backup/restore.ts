import { createReadStream, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { helpNotes } from '../../runtime/help.ts';
import { type CopyContents, inspectCopy, markAsCopy } from '../../runtime/local-database.ts';
import { unreadable } from '../../runtime/read-source.ts';
import { writeNewFile } from '../../runtime/write-new-file.ts';
import { showBytes } from '../status.ts';
import { holding } from './backup.ts';
import { DATABASE_FILE, type HeldFolder, holdEmptyFolder } from './data-folder.ts';

const READ_BYTES = 1024 * 1024;

export function addRestoreCommand(program: Command, cli: Cli): void {
  const command = program
    .command('restore')
    .description('put a backup into an empty data directory, for a server to start on')
    .argument('[file]', 'the file that hubctl backup has made')
    .action((file: string | undefined) => restore(cli, file));
  helpNotes(command, {
    prints:
      'What was restored, and what to do next.\n' + 'With --json: {"dataDir", "bytes", "createdAt", "hubs", "items"}.',
    more: {
      title: 'Where to',
      text:
        '--data-dir, else HUB_DATA_DIR, else ./data, on this machine; the folder is made, or must be empty.\n' +
        'The file is looked through first, and stays as it is. Run it as the account that runs the server.\n' +
        'The server that starts on it ends all sessions and links of before. Keys, tokens and accounts are as they were\n' +
        'when the backup was taken: what was revoked or disabled since has to be so again.',
    },
    exits: '0 done, 1 refused or failed, 2 wrong usage',
    examples: ['hubctl restore hub.db --data-dir /var/lib/hub'],
  });
}

export async function restore(cli: Cli, given: string | undefined): Promise<void> {
  const file = await cli.response(given, 'Say which file: hubctl restore FILE', (prompts) => prompts.text('File:'));
  const { profile, dataDir = cli.deps.env.HUB_DATA_DIR || './data' } = cli.serverFlags;
  if (profile !== undefined) throw usageError('A backup is restored on this machine: leave --profile out.');
  requireBackup(file);
  const target = resolve(dataDir);
  const folder = await holdEmptyFolder(target);
  let contents: CopyContents | undefined;
  try {
    contents = await fill(cli, file, target, folder);
  } finally {
    folder.release(contents !== undefined);
  }
  const { takenAt, hubs, items } = contents;
  const bytes = statSync(join(target, DATABASE_FILE)).size;
  if (cli.json) return cli.output.document({ dataDir: target, bytes, createdAt: takenAt, hubs, items });
  cli.output.line(`Restored ${holding(contents)} into ${target} (${showBytes(bytes)})`);
  printNextSteps(cli, target);
}

/** The copy is looked through where it lies from now on, and not where it came from: a disk can fail in writing, too. */
async function fill(cli: Cli, file: string, target: string, folder: HeldFolder): Promise<CopyContents> {
  let contents: CopyContents | undefined;
  await writeNewFile(join(target, DATABASE_FILE), bytesOf(file), false, async (temporary) => {
    contents = await inspectCopy(temporary, file);
    if (contents.isNewer) throw newer(file);
    if (contents.takenAt === null) await markAsCopy(temporary, cli.deps.clock.now());
    folder.reveal(temporary);
  });
  if (!contents) throw new Error('A backup was restored unseen');
  return contents;
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: READ_BYTES });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Before anything is made. A log beside the file holds the newest part of a database that is in use. */
function requireBackup(file: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(file).isFile();
  } catch (error) {
    throw unreadable(file, error);
  }
  if (!isFile) throw new CliError('unreadable', EXIT.failed, `${file} is not a file.`);
  if (!existsSync(`${file}-wal`)) return;
  throw new CliError('unusable_backup', EXIT.failed, `${file} is no backup: there is a log beside it.`, {
    hint:
      'A server uses it, or was killed over it. Take a backup of that server: hubctl backup FILE\n' +
      'If it does not run, start it once and stop it again: that puts the log into the file.',
  });
}

function newer(file: string): CliError {
  return new CliError('unusable_backup', EXIT.failed, `${file} is of a newer version of Hub than this one.`, {
    hint: 'Restore it with the hubctl and the server of that version.',
  });
}

function printNextSteps({ output }: Cli, target: string): void {
  output.note(`Start the server on it: HUB_DATA_DIR=${target} bun run start`);
  output.note('Everybody signs in anew, and links that were sent no longer work.');
  output.note(
    'Keys, tokens and accounts are as they were then. What was revoked or disabled since works again: see to it.',
  );
}
