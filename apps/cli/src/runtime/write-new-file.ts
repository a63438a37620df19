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
import { CliError, usageError, writeReason } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** So much is written at once before it is flushed: a server on the same disk waits for no more than that. */
const FLUSH_BYTES = 4 * 1024 * 1024;

/** Refuses a file that is there already, unless it may be replaced, before anything is asked for that would fill it. */
export function requireFree(path: string, mayReplace: boolean | undefined): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (status.isDirectory()) throw usageError(`${path} is a folder.`, 'Name a file in it.');
  if (isOfServer(path)) {
    throw usageError(
      `${path} belongs to the server whose data folder this is.`,
      'Name another file, best of all on another disk.',
    );
  }
  if (!mayReplace) throw alreadyThere(path);
}

/**
 * A server goes on with the file that it has open when another takes its name, and whatever it then acknowledges is lost. Every
 * data folder has a lock, also of a server that has stopped.
 */
function isOfServer(path: string): boolean {
  const names: readonly string[] = DATABASE.filesOfServer;
  return names.includes(basename(path)) && existsSync(join(dirname(path), 'hub.lock'));
}

/**
 * Writes a file that only its owner can read, as a whole or not at all: under another name beside it, which it loses once
 * all is on the disk and `check`, which is given that name, has found no fault. What was there is only replaced if it may
 * be. Returns the number of bytes.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  mayReplace: boolean | undefined,
  check: (temporary: string) => Promise<void> = async () => {},
): Promise<number> {
  const folder = dirname(path);
  removeAbandoned(folder);
  const temporary = join(folder, `.${basename(path)}.${ownMark(process.pid)}`);
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
    onDisk(path, () => putInPlace(temporary, path, mayReplace));
    onDisk(path, () => flushFolder(folder));
    return bytes;
  } finally {
    closeSync(file);
    if (existsSync(temporary)) unlinkSync(temporary);
  }
}

/** How a file that this process has not finished ends. A name that is there may be of another machine, on a shared disk. */
function ownMark(pid: number | string): string {
  return `${hostname()}-${pid}.part`;
}

/** What this program has begun and was killed over. */
function removeAbandoned(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    const pid = /^\..*-(\d+)\.part$/.exec(name)?.[1];
    if (pid === undefined || !name.endsWith(`.${ownMark(pid)}`) || isRunning(Number(pid))) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // Somebody else's, or gone by now.
    }
  }
}

function isRunning(pid: number): boolean {
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

/** A second name fails if somebody else took it meanwhile, where a renaming would write over it. */
function putInPlace(temporary: string, path: string, mayReplace: boolean | undefined): void {
  if (mayReplace) {
    renameSync(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(path)) throw alreadyThere(path);
    // Some file systems know no second names.
    renameSync(temporary, path);
  }
}

/** Else the new name can be gone after a loss of power. */
function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } catch (error) {
    // Not every file system lets a folder be flushed.
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
    throw new CliError('failed', EXIT.failed, `${path} cannot be written: ${writeReason(error)}.`, {
      hint: 'Nothing was kept.',
    });
  }
}

function alreadyThere(path: string): CliError {
  return usageError(`${path} is there already.`, 'Choose another file, or add --force to replace it.');
}
