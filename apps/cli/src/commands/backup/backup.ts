import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { type CopyContents, inspectCopy } from '../../runtime/local-database.ts';
import { STDIN } from '../../runtime/read-source.ts';
import { count, showTime } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { requireFree, writeNewFile } from '../../runtime/write-new-file.ts';
import { showBytes } from '../status.ts';
import { receiveBackup, type SentBackup } from './receive-backup.ts';

export interface BackupOptions {
  force?: boolean;
}

export function addBackupCommand(program: Command, cli: Cli): void {
  const command = program
    .command('backup')
    .description('copy all data of the server into a file, while the server runs')
    .argument('[file]', 'the file to make')
    .option('--force', 'replace the file if it is there')
    .action((file: string | undefined, options: BackupOptions) => takeBackup(cli, file, options));
  helpNotes(command, {
    prints:
      'The file, its size and what is in it. The file is made whole or not at all, and only you can read it.\n' +
      'With --json: {"file", "bytes", "sha256", "createdAt", "hubs", "items", "isConfirmed"}.',
    more: {
      title: 'What it is',
      text:
        'All that was committed when it was asked for, as a SQLite file: looked through by SQLite before it gets its name.\n' +
        'It contains every Hub, so only owners and the local admin can take one. Keys, tokens and passwords are in it as\n' +
        'hashes only, posts and the private key for push notifications as they are: keep it as safe as the server.\n' +
        'The server counts a backup once hubctl has confirmed that it keeps it; isConfirmed says whether that was done.',
    },
    exits: ADMIN_EXITS,
    examples: ['hubctl backup hub.db', 'hubctl backup "/var/backups/hub/$(date +%F).db"'],
  });
}

export async function takeBackup(cli: Cli, given: string | undefined, { force }: BackupOptions): Promise<void> {
  const file = await cli.response(given, 'Say into which file: hubctl backup FILE', (prompts) => prompts.text('File:'));
  if (file === STDIN) {
    throw usageError(
      'A backup goes into a file.',
      'Half of one on standard output could not be told from a whole one.',
    );
  }
  requireFree(file, force);
  const { sent, contents } = await write(cli, file, force);
  if (contents.isNewer) {
    cli.output.warn('The server is newer than this hubctl: restore the backup with the one that came with the server.');
  }
  const isConfirmed = await confirm(cli, sent);
  const { takenAt, hubs, items } = contents;
  const { bytes, sha256 } = sent;
  if (cli.json) return cli.output.document({ file, bytes, sha256, createdAt: takenAt, hubs, items, isConfirmed });
  cli.output.line(`Backed up ${holding(contents)} to ${file} (${showBytes(bytes)})`);
}

/** `3 Hubs with 120 items as of 2026-03-01 09:30 UTC` */
export function holding({ hubs, items, takenAt }: CopyContents): string {
  return `${count(hubs, 'Hub')} with ${count(items, 'item')}${takenAt === null ? '' : ` as of ${showTime(takenAt)}`}`;
}

async function write(cli: Cli, file: string, force: boolean | undefined) {
  // Mostly the server is on this machine.
  cli.deps.stepBack();
  const stop = new AbortController();
  const release = cli.deps.onStop(() => stop.abort());
  let sent: SentBackup | undefined;
  let contents: CopyContents | undefined;
  try {
    const pieces = receiveBackup(cli, stop.signal, (backup) => {
      sent = backup;
    });
    await writeNewFile(file, pieces, force, async (temporary) => {
      // Looking through it lets nobody else have a word: a signal ends the program again.
      release();
      contents = await inspectCopy(temporary, 'The backup');
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CliError('cancelled', EXIT.interrupted, 'The backup was stopped. Nothing was kept.');
  } finally {
    release();
  }
  if (!sent || !contents) throw new Error('A backup was made of nothing');
  return { sent, contents };
}

/** The file is good whatever comes of this. */
async function confirm(cli: Cli, { id }: SentBackup): Promise<boolean> {
  try {
    await cli.api.post(`/backups/${segment(id)}/confirmation`);
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    cli.output.warn(`The backup is good, but the server does not count it. ${error.message}`);
    return false;
  }
}
