import {
  closeSync,
  createReadStream,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DATABASE } from '@hub/contract/database';
import { LIMITS } from '@hub/contract/limits';
import type { Deps } from './deps.ts';
import { CliError, failed, fileReason, usageError, writeReason } from './errors.ts';

/** Where standard input comes from. */
interface Input {
  deps: Pick<Deps, 'stdin'>;
}

/** The argument for standard input, as in other programs. */
export const STDIN = '-';

/** Reads a file, or standard input for `-`, without byte order mark and final newline, of up to `maxBytes`. */
export async function readSource(
  { deps }: Input,
  source: string,
  maxBytes: number = LIMITS.bodyBytes,
): Promise<string> {
  const name = source === STDIN ? 'Standard input' : source;
  const kept: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of source === STDIN ? deps.stdin.chunks() : createReadStream(source)) {
      length += chunk.byteLength;
      if (length > maxBytes) break;
      kept.push(chunk);
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (length <= maxBytes) return decode(Buffer.concat(kept), name).replace(/\r?\n$/, '');
  const message = `${name} exceeds the maximum size of a post (${maxBytes} bytes).`;
  throw failed('too_large', message, 'Post the important part, or attach it as a file: --attach FILE');
}

export function unreadable(name: string, error: unknown): CliError {
  return failed('unreadable', `Cannot read ${name}: ${fileReason(error)}.`);
}

/** Throws unless there is a file with this path. */
export function requireFile(path: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (error) {
    throw unreadable(path, error);
  }
  if (!isFile) throw failed('unreadable', `${path} is not a file.`);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isUtf16 = ['fffe', 'feff'].includes(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
    const problem = isUtf16 ? 'UTF-16, not UTF-8' : 'not UTF-8 text';
    const hint = `Convert it first, for example: iconv -f ${isUtf16 ? 'UTF-16' : 'ISO-8859-1'} -t UTF-8`;
    throw failed('invalid', `${name} is ${problem}.`, hint);
  }
}

/** Reads a piped secret without its final newline. `flag` is the option that requires it. */
export async function readPipedSecret(cli: Input, flag: string): Promise<string> {
  const secret = cli.deps.stdin.isTTY ? '' : await readSource(cli, STDIN);
  if (secret !== '') return secret;
  throw failed('empty', `${flag}: standard input is empty.`, `Pipe the secret in, for example: … ${flag} < FILE`);
}

/** The number of bytes between flushes. It limits how long a flush keeps a server on the same disk waiting. */
const FLUSH_BYTES = 4 * 1024 * 1024;

/** Cuts the start of a file name, at the end of a character: with its end, a name may have 255 bytes. */
export function startOfName(text: string, end: string): string {
  const room = new Uint8Array(255 - Buffer.byteLength(end));
  return text.slice(0, new TextEncoder().encodeInto(text, room).read);
}

/** Rejects an existing file, unless it may be replaced, before anything is requested from the server. */
export function requireFree(path: string, mayReplace: boolean | undefined): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (status.isDirectory()) throw usageError(`${path} is a directory.`, 'Specify a file in it.');
  if (isOfServer(path)) throw usageError(`${path} is one of the server's own files.`, 'Choose a file on another disk.');
  if (!mayReplace) throw alreadyExists(path);
}

/** Whether a file is in a data directory, which has a lock file. A server would go on writing to a replaced file. */
function isOfServer(path: string): boolean {
  return DATABASE.serverFiles.some((name) => name === basename(path)) && existsSync(join(dirname(path), 'hub.lock'));
}

/**
 * Atomically writes a file that only its owner can read. Writes to a temporary file next to it, which is renamed once
 * all data is on disk and `check`, called with its name, has passed. Replaces an existing file only if allowed. Returns
 * the number of bytes.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mayReplace: boolean | undefined,
  check: (temporary: string) => unknown = () => {},
): Promise<number> {
  const folder = dirname(path);
  removeAbandoned(folder);
  const suffix = `.${ownSuffix(process.pid)}`;
  const temporary = join(folder, startOfName(`.${basename(path)}`, suffix) + suffix);
  const file = onDisk(path, () => openSync(temporary, 'wx', 0o600));
  try {
    let [bytes, flushed] = [0, 0];
    for await (const chunk of chunks) {
      onDisk(path, () => {
        // Unlike `writeSync`, this writes everything or fails.
        writeFileSync(file, chunk);
        bytes += chunk.byteLength;
        if (bytes - flushed < FLUSH_BYTES) return;
        fdatasyncSync(file);
        flushed = bytes;
      });
    }
    onDisk(path, () => fsyncSync(file));
    await check(temporary);
    onDisk(path, () => {
      moveToPath(temporary, path, mayReplace);
      flushFolder(folder);
    });
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
    if (pid === undefined || !name.endsWith(`.${ownSuffix(pid)}`) || isOtherProcess(Number(pid))) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // It belongs to someone else, or is already gone.
    }
  }
}

/** Returns whether another process here has this id. In a container, every hubctl may have that of its predecessor. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
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
  // Windows neither needs nor allows it.
  if (process.platform === 'win32') return;
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
