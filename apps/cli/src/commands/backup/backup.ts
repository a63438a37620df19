import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { CliError, EXIT, failed, unreachableError, usageError } from '../../runtime/errors.ts';
import { requireFree, STDIN, writeNewFile } from '../../runtime/files.ts';
import { count, showBytes } from '../../runtime/format.ts';
import { Progress } from '../../runtime/progress.ts';
import { noHubAt, SAME_VERSION_HINT, streamResponse } from '../../runtime/workspace-api.ts';
import { type CopyContents, holding, inspectCopy } from './data-folder.ts';
import { type CopiedFiles, downloadFiles, FILES_FOLDER } from './files.ts';
import { addRestoreCommand } from './restore.ts';

/** Adds the commands that need SQLite. */
export function addBackupCommands(program: Command, cli: Cli): void {
  addBackupCommand(program, cli);
  addRestoreCommand(program, cli);
}

function addBackupCommand(program: Command, cli: Cli): void {
  addCommand(program, 'backup', {
    about: 'Back up all data of a running server to a file',
    prints:
      'The file, its size and a summary of its contents. The file is written completely or not at all,\nand only you can read it.\n' +
      'With --json: {"file", "bytes", "sha256", "createdAt", "hubs", "items", "files", "isConfirmed"}.',
    more: {
      title: 'About backups',
      text:
        'A backup is a SQLite file with everything that was committed when you ran the command, verified by SQLite.\n' +
        'It contains every Hub, so only owners and the local admin can take one. Keys, tokens and passwords are stored as\n' +
        'hashes; posts and the private key for push notifications are not. Protect the file as you protect the server.\n' +
        'Files of posts are saved beside it, in hub-files, which all backups in a folder share. Keep both together.\n' +
        'The server records the backup after hubctl confirms that the file is saved; isConfirmed shows whether it did.',
    },
    examples: ['hubctl backup hub.db', 'hubctl backup "/var/backups/hub/$(date +%F).db"'],
  })
    .argument('[file]', 'File to create')
    .option('--force', 'Overwrite the file if it exists')
    .action(async (given, { force }) => {
      const file = await cli.text(given, 'File:');
      if (file === STDIN) {
        throw usageError(
          'Backups cannot be written to standard output.',
          'Specify a file, so that an incomplete backup is never mistaken for a complete one.',
        );
      }
      // Fail before the server copies anything.
      requireFree(file, force);
      const { sent: headers, contents, files } = await write(cli, file, force);
      if (contents.isNewer) {
        cli.output.warn(
          'The server is newer than this hubctl. Restore the backup with the hubctl that came with the server.',
        );
      }
      const isConfirmed = await confirm(cli, headers);
      const { takenAt, hubs, items } = contents;
      const { bytes, sha256 } = headers;
      cli.output.result(
        { file, bytes, sha256, createdAt: takenAt, hubs, items, files: files.all - files.missing, isConfirmed },
        `Backed up ${holding(contents)} to ${file} (${showBytes(bytes)})`,
      );
      if (files.all > 0)
        cli.output.note(
          `Saved ${count(files.added, 'new file')} of ${files.all} in ${join(dirname(file), FILES_FOLDER)}. Keep it beside the backup.`,
        );
    });
}

async function write(cli: Cli, file: string, force: boolean | undefined) {
  // Yield the CPU to the server, which usually runs on this machine.
  cli.deps.lowerPriority();
  const stop = new AbortController();
  const release = cli.deps.onStop(() => stop.abort());
  let sent: SentBackup | undefined;
  let contents: CopyContents | undefined;
  let files: CopiedFiles;
  const progress = new Progress(cli, 'Waiting for the server to copy its database');
  try {
    const pieces = receiveBackup(cli, stop.signal, (backup) => {
      sent = backup;
    });
    const counted = progress.counted('Receiving the backup', pieces, () => sent?.bytes);
    await writeNewFile(file, counted, force, async (temporary) => {
      progress.next('Verifying the backup');
      // Verification blocks the event loop, so from here on a signal must end the process directly.
      release();
      contents = await inspectCopy(temporary, 'The backup');
    });
    // The database first: it lists the files, which never change.
    progress.next('Receiving files');
    files = await downloadFiles(cli, file, progress, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new CliError('cancelled', 'The backup was canceled. It is not complete.', {}, EXIT.interrupted);
  } finally {
    progress.end();
    release();
  }
  if (!sent || !contents) throw new Error('The backup stream had no headers or contents');
  return { sent, contents, files };
}

/** Confirms to the server that the backup was saved. The file is valid even if this fails. */
async function confirm(cli: Cli, { id }: SentBackup): Promise<boolean> {
  try {
    await cli.api.request('POST /backups/{backupId}/confirmation', { backupId: id });
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    cli.output.warn(`The backup is valid, but the server did not record it. ${error.message}`);
    return false;
  }
}

/** The server sends nothing until its copy is complete, which takes a while for a large database. */
const COPIED_WITHIN_MS = 60 * 60 * 1000;

/** The backup as described in the server's response headers. */
interface SentBackup {
  id: string;
  bytes: number;
  /** The hash in hexadecimal. */
  sha256: string;
}

/**
 * Streams the bytes of a new backup. Fails if the size or the hash differs from what the server announced. Calls
 * `onBegin` with the announced values before the first chunk.
 */
async function* receiveBackup(
  { api, connection }: Cli,
  stop: AbortSignal,
  onBegin: (backup: SentBackup) => void,
): AsyncGenerator<Uint8Array> {
  const hasher = createHash('sha256');
  let bytes = 0;
  let sent: SentBackup | undefined;
  const pieces = streamResponse((signal) => api.open('POST /backups', { signal }), {
    beginWithinMs: COPIED_WITHIN_MS,
    stop,
    onResponse: ({ headers }) => {
      // Another server may respond to any path with a page.
      if (connection.kind === 'profile' && !headers.has('hub-backup-id')) throw noHubAt(connection.url);
      sent = readHeaders(headers);
      onBegin(sent);
    },
  });
  for await (const piece of pieces) {
    hasher.update(piece);
    bytes += piece.byteLength;
    yield piece;
  }
  if (bytes === sent?.bytes && hasher.digest('hex') === sent.sha256) return;
  const hint = 'Try again. If it keeps failing, check the proxies between hubctl and the server.';
  throw unreachableError('The backup was damaged in transit.', hint);
}

function readHeaders(headers: Headers): SentBackup {
  const id = headers.get('hub-backup-id');
  const bytes = Number(headers.get('hub-backup-bytes') ?? Number.NaN);
  const digest = /\bsha-256=:([A-Za-z0-9+/]{43}=):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (id !== null && Number.isSafeInteger(bytes) && digest !== undefined) {
    return { id, bytes, sha256: Buffer.from(digest, 'base64').toString('hex') };
  }
  throw failed('unexpected_response', 'The server sent a backup without its ID, size or checksum.', SAME_VERSION_HINT);
}
