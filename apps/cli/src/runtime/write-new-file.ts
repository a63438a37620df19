import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DATABASE } from '@hub/contract/database';
import { CliError, failed, usageError, writeReason } from './errors.ts';

/** The number of bytes between flushes. It limits how long a flush keeps a server on the same disk waiting. */
const FLUSH_BYTES = 4 * 1024 * 1024;

/** Rejects an existing file, unless it may be replaced, before anything is requested from the server. */
export function requireFree(path: string, mayReplace: boolean | undefined): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (status.isDirectory()) throw usageError(`${path} is a directory.`, 'Specify a file in it.');
  if (isOfServer(path)) {
    throw usageError(
      `${path} is one of the server's own files in its data directory.`,
      'Choose another file, ideally on another disk.',
    );
  }
  if (!mayReplace) throw alreadyExists(path);
}

/**
 * Returns whether a file belongs to a server's data directory. If such a file is replaced, the server keeps writing to
 * the old one, and that data is lost. Every data directory has a lock file, even if the server has stopped.
 */
function isOfServer(path: string): boolean {
  const names: readonly string[] = DATABASE.serverFiles;
  return names.includes(basename(path)) && existsSync(join(dirname(path), 'hub.lock'));
}

/**
 * Atomically writes a file that only its owner can read. Writes to a temporary file next to it, which is renamed once
 * all data is on disk and `check`, called with its name, has passed. Replaces an existing file only if allowed. Returns
 * the number of bytes.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  mayReplace: boolean | undefined,
  check: (temporary: string) => Promise<void> = async () => {},
): Promise<number> {
  const folder = dirname(path);
  removeAbandoned(folder);
  const temporary = join(folder, `.${basename(path)}.${ownSuffix(process.pid)}`);
  const file = onDisk(path, () => openSync(temporary, 'wx', 0o600));
  try {
    let bytes = 0;
    let unflushed = 0;
    for await (const chunk of chunks) {
      onDisk(path, () => writeWhole(file, chunk));
      bytes += chunk.byteLength;
      unflushed += chunk.byteLength;
      if (unflushed < FLUSH_BYTES) continue;
      onDisk(path, () => fdatasyncSync(file));
      unflushed = 0;
    }
    onDisk(path, () => fsyncSync(file));
    await check(temporary);
    onDisk(path, () => moveToPath(temporary, path, mayReplace));
    onDisk(path, () => flushFolder(folder));
    return bytes;
  } finally {
    closeSync(file);
    if (existsSync(temporary)) unlinkSync(temporary);
  }
}

/** Returns the suffix of this process's unfinished files. It includes the host name, since disks may be shared. */
function ownSuffix(pid: number | string): string {
  return `${hostname()}-${pid}.part`;
}

/** Removes unfinished files left by killed hubctl processes. */
function removeAbandoned(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    const pid = /^\..*-(\d+)\.part$/.exec(name)?.[1];
    if (pid === undefined || !name.endsWith(`.${ownSuffix(pid)}`) || isRunning(Number(pid))) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // It belongs to someone else, or is already gone.
    }
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function writeWhole(file: number, chunk: Uint8Array): void {
  for (let from = 0; from < chunk.byteLength; ) from += writeSync(file, chunk, from);
}

/** Links the file to its name: unlike a rename, this fails if the name has been taken in the meantime. */
function moveToPath(temporary: string, path: string, mayReplace: boolean | undefined): void {
  if (mayReplace) {
    renameSync(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(path)) throw alreadyExists(path);
    // Some file systems do not support hard links.
    renameSync(temporary, path);
  }
}

/** Flushes the directory, so that the new name survives a power loss. */
export function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } catch (error) {
    // Not every file system can flush a directory.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(opened);
  }
}

function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw failed('failed', `Cannot write ${path}: ${writeReason(error)}.`, 'No file was saved.');
  }
}

function alreadyExists(path: string): CliError {
  return usageError(`${path} already exists.`, 'Choose another file, or add --force to replace it.');
}
