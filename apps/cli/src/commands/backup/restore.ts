import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, LOCAL_EXITS } from '../../runtime/command-line.ts';
import { failed, usageError } from '../../runtime/errors.ts';
import { requireFile, unreadable, writeNewFile } from '../../runtime/files.ts';
import { count, showBytes } from '../../runtime/format.ts';
import { commandName } from '../../runtime/output.ts';
import { Progress } from '../../runtime/progress.ts';
import {
  type CopyContents,
  DATABASE_FILE,
  holding,
  inspectCopy,
  type LockedFolder,
  lockEmptyFolder,
  markAsCopy,
} from './data-folder.ts';
import { type CopiedFiles, FILES_FOLDER, restoreFiles } from './files.ts';

const READ_BYTES = 1024 * 1024;

export function addRestoreCommand(program: Command, cli: Cli): void {
  addCommand(program, 'restore', {
    about: 'Restore a backup into an empty data directory',
    prints:
      'A summary of the restored data and the next steps.\n' +
      'With --json: {"dataDir", "bytes", "createdAt", "hubs", "items", "files"}.',
    more: {
      title: 'Data directory',
      text:
        '--data-dir, else HUB_DATA_DIR, else ./data, on this machine. It is created if needed, and must be empty.\n' +
        'The backup is verified first and not changed. Run the command as the account that runs the server.\n' +
        'The restored server ends all earlier sessions and links. Keys, tokens and accounts are as they were\n' +
        'when the backup was taken. Anything you have revoked or disabled since then must be revoked or\n' +
        'disabled again.',
    },
    exits: LOCAL_EXITS,
    examples: ['hubctl restore hub.db --data-dir /var/lib/hub'],
  })
    .argument('[file]', 'Backup file created by hubctl backup')
    .option('--without-files', 'Restore even if files of posts are not beside the backup')
    .action((file, options) => restore(cli, file, options.withoutFiles));
}

async function restore(cli: Cli, given: string | undefined, mayLackFiles: boolean | undefined): Promise<void> {
  const file = await cli.text(given, 'File:');
  const { profile, dataDir = cli.deps.env.HUB_DATA_DIR || './data' } = cli.serverFlags;
  if (profile !== undefined) throw usageError('Backups are restored on this machine. Remove --profile.');
  requireBackup(file);
  const target = resolve(dataDir);
  const folder = await lockEmptyFolder(target);
  const progress = new Progress(cli, 'Reading the backup');
  let isFilled = false;
  try {
    const contents = await fill(cli, file, target, folder, progress);
    const files = await restoreFiles(file, target, progress, folder.reveal);
    if (files.missing > 0 && !mayLackFiles) {
      const hint = 'Copy that folder beside the backup, and restore again. To do without it: --without-files';
      throw failed('unusable_backup', `${missingText(file, files)}. Nothing was restored.`, hint);
    }
    isFilled = true;
    progress.end();
    report(cli, file, target, contents, files);
  } finally {
    progress.end();
    if (!isFilled)
      for (const name of [DATABASE_FILE, 'files']) rmSync(join(target, name), { recursive: true, force: true });
    folder.release(isFilled);
  }
}

function missingText(file: string, { missing, all }: CopiedFiles): string {
  return `${missing} of ${count(all, 'file')} of posts are not in ${join(dirname(file), FILES_FOLDER)}`;
}

function report(cli: Cli, file: string, target: string, contents: CopyContents, files: CopiedFiles): void {
  if (files.missing > 0) cli.output.warn(`${missingText(file, files)}, and cannot be opened.`);
  const { takenAt, hubs, items } = contents;
  const bytes = statSync(join(target, DATABASE_FILE)).size;
  cli.output.result(
    { dataDir: target, bytes, createdAt: takenAt, hubs, items, files: files.added },
    `Restored ${holding(contents)} into ${target} (${showBytes(bytes)})`,
  );
  if (cli.json) return;
  if (files.added > 0) cli.output.note(`Restored ${count(files.added, 'file')} of posts.`);
  printNextSteps(cli, target);
}

/** Copies the backup and verifies the copy rather than the original, since writing the copy can go wrong, too. */
async function fill(
  cli: Cli,
  file: string,
  target: string,
  folder: LockedFolder,
  progress: Progress,
): Promise<CopyContents> {
  let contents: CopyContents | undefined;
  const { size } = statSync(file);
  const chunks = progress.counted('Copying the backup', bytesOf(file), () => size);
  await writeNewFile(join(target, DATABASE_FILE), chunks, false, async (temporary) => {
    progress.next('Verifying the backup');
    contents = await inspectCopy(temporary, file);
    if (contents.isNewer) {
      const hint = 'Restore it with that version of hubctl and the server.';
      throw failed('unusable_backup', `${file} was created by a newer version of Hub.`, hint);
    }
    if (contents.takenAt === null) await markAsCopy(temporary, cli.deps.clock.now());
    folder.reveal(temporary);
  });
  if (!contents) throw new Error('A backup was restored without verification');
  return contents;
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: READ_BYTES });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Checks the file before anything is created. A write-ahead log next to it means that the database is in use. */
function requireBackup(file: string): void {
  requireFile(file);
  if (!existsSync(`${file}-wal`)) return;
  throw failed(
    'unusable_backup',
    `${file} is not a backup: it has a write-ahead log.`,
    'A server is using it, or was killed while using it. Back up that server: hubctl backup FILE\n' +
      'If the server is not running, start and stop it once, which merges the log into the file.',
  );
}

function printNextSteps({ output, deps }: Cli, target: string): void {
  const name = commandName(deps.env);
  const setting = `HUB_DATA_DIR=${target}`;
  const isInstalled = name === 'hubctl';
  output.note(
    `Start the server${isInstalled ? ` with ${setting}.` : `: ${setting} ${name.replace('hubctl', 'start')}`}`,
  );
  output.note('Everyone must sign in again, and links sent earlier no longer work.');
  output.note(
    'Keys, tokens and accounts are as they were when the backup was taken. Anything revoked or disabled since then is valid again; revoke or disable it again if needed.',
  );
}
