import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, failed } from '../../runtime/errors.ts';
import { writeNewFile } from '../../runtime/files.ts';
import type { Progress } from '../../runtime/progress.ts';
import { streamResponse } from '../../runtime/workspace-api.ts';
import { DATABASE_FILE, readCopy } from './data-folder.ts';

/** Beside the backups of a folder, which share it: files never change. */
export const FILES_FOLDER = 'hub-files';

interface StoredFile {
  id: string;
  size: number;
  sha256: string;
}

/** Lists the files in a copy of the database. */
function filesIn(database: string): Promise<StoredFile[]> {
  return readCopy(database, (copy) => {
    // Copies of earlier versions have no files.
    const table = copy.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'files'").get();
    return table ? copy.query<StoredFile, []>('SELECT id, size, sha256 FROM files ORDER BY id').all() : [];
  });
}

const pathOf = (folder: string, { id }: StoredFile): string => join(folder, id.slice(-2), id);

/** The number of all files, of those that are new in their folder, and of those that are gone. */
export interface CopiedFiles {
  all: number;
  added: number;
  missing: number;
}

/** Downloads the files of a backup that are not beside it yet. */
export function downloadFiles(cli: Cli, backup: string, progress: Progress, stop: AbortSignal): Promise<CopiedFiles> {
  const open = ({ id: fileId }: StoredFile) =>
    streamResponse((signal) => cli.api.open('GET /backups/files/{fileId}', { fileId, signal }), { stop });
  return copyFiles(backup, join(dirname(backup), FILES_FOLDER), (file) =>
    progress.counted('Receiving files', open(file)),
  );
}

/** Copies the files of a backup into the data directory of a server. */
export function restoreFiles(
  backup: string,
  dataDir: string,
  progress: Progress,
  reveal: (path: string) => void,
): Promise<CopiedFiles> {
  const from = join(dirname(backup), FILES_FOLDER);
  const open = (file: StoredFile) => progress.counted('Copying files', createReadStream(pathOf(from, file)));
  return copyFiles(join(dataDir, DATABASE_FILE), join(dataDir, 'files'), open, reveal);
}

async function copyFiles(
  database: string,
  folder: string,
  open: (file: StoredFile) => AsyncIterable<Uint8Array>,
  reveal: (path: string) => void = () => {},
): Promise<CopiedFiles> {
  const copied: CopiedFiles = { all: 0, added: 0, missing: 0 };
  for (const file of await filesIn(database)) {
    copied.all += 1;
    const path = pathOf(folder, file);
    if (existsSync(path) && statSync(path).size === file.size) continue;
    for (const parent of [folder, dirname(path)]) {
      if (existsSync(parent)) continue;
      mkdirSync(parent, { recursive: true, mode: 0o700 });
      reveal(parent);
    }
    try {
      await writeNewFile(path, verified(file, open(file)), true);
      reveal(path);
      copied.added += 1;
    } catch (error) {
      if (!isGone(error)) throw error;
      copied.missing += 1;
    }
  }
  return copied;
}

async function* verified(file: StoredFile, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') === file.sha256) return;
  throw failed('failed', `The file ${file.id} is damaged: its checksum is another one.`);
}

/** Whether a file was deleted since the database was copied, or is not beside the backup. */
function isGone(error: unknown): boolean {
  if (error instanceof CliError) return error.details.statusCode === 404;
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
