import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CliError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Refuses a file that is there already, unless it may be replaced, before anything is asked for that would fill it. */
export function requireFree(path: string, mayReplace: boolean | undefined): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (status.isDirectory()) throw usageError(`${path} is a folder.`, 'Name a file in it.');
  if (!mayReplace) throw alreadyThere(path);
}

/**
 * Writes a file that only its owner can read, as a whole or not at all: under another name beside it, which it loses once
 * all is on the disk. What was there is only replaced if it may be. Returns the number of bytes.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  mayReplace: boolean | undefined,
): Promise<number> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = onDisk(path, () => openSync(temporary, 'wx', 0o600));
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      onDisk(path, () => writeWhole(file, chunk));
      bytes += chunk.byteLength;
    }
    onDisk(path, () => fsyncSync(file));
    onDisk(path, () => putInPlace(temporary, path, mayReplace));
    return bytes;
  } finally {
    closeSync(file);
    if (existsSync(temporary)) unlinkSync(temporary);
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

function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'its folder does not exist',
      EACCES: 'you may not write there',
      ENOSPC: 'the disk is full',
      EROFS: 'the file system is read-only',
    };
    const reason = reasons[code ?? ''] ?? code ?? message;
    throw new CliError('failed', EXIT.failed, `${path} cannot be written: ${reason}.`, { hint: 'Nothing was kept.' });
  }
}

function alreadyThere(path: string): CliError {
  return usageError(`${path} is there already.`, 'Choose another file, or add --force to replace it.');
}
