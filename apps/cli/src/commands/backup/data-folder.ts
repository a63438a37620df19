import { chownSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { lockFile } from '../../runtime/local-database.ts';

/** The file names that the server uses. */
export const DATABASE_FILE = 'hub.db';
const LOCK_FILE = 'hub.lock';
/** Files allowed in an empty directory: lost+found, a lock, and the leftovers of a restore that was killed. */
const IGNORED_NAMES = /^(lost\+found|hub\.lock|\.hub\.db\..*\.part(-journal)?)$/;

/** An empty data directory that is locked, so that no server can start in it. */
export interface LockedFolder {
  /** Gives a file in the directory the same owner as the directory, since root may restore for another account. */
  reveal(file: string): void;
  /** Releases the lock. Removes the directory if it was created here and has not been filled. */
  release(isFilled: boolean): void;
}

/** Creates the directory (0700) if needed and locks it. Rejects it if it is not empty or a server is using it. */
export async function lockEmptyFolder(path: string): Promise<LockedFolder> {
  const lockPath = join(path, LOCK_FILE);
  const isNew = !existsSync(path);
  if (!isNew) await requireEmpty(path, lockPath);
  const lock = await inFolder(path, async () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return lockFile(lockPath);
  });
  if (!lock) throw inUse(path);
  const reveal = (file: string): void => {
    const { uid, gid } = statSync(path);
    if (process.getuid?.() === 0 && uid !== 0) chownSync(file, uid, gid);
  };
  reveal(lockPath);
  return {
    reveal,
    release: (isFilled) => {
      lock.release();
      if (isFilled || !isNew) return;
      rmSync(lockPath);
      rmdirSync(path);
    },
  };
}

async function requireEmpty(path: string, lockPath: string): Promise<void> {
  const names = await inFolder(path, () => readdirSync(path));
  if (names.every((name) => IGNORED_NAMES.test(name))) return;
  const lock = existsSync(lockPath) ? await inFolder(path, () => lockFile(lockPath)) : undefined;
  if (lock === null) throw inUse(path);
  lock?.release();
  throw new CliError('conflict', EXIT.failed, `${path} is not empty.`, {
    hint: `Restore needs an empty directory, so that no data is lost. Move this one away:\n  ${away(path)}\nor choose another one with --data-dir.`,
  });
}

function inUse(path: string): CliError {
  return new CliError('conflict', EXIT.failed, `A server is using ${path}.`, {
    hint: `Stop the server and move its directory away:\n  ${away(path)}`,
  });
}

const away = (path: string): string => `mv ${path} ${path}.before`;

async function inFolder<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EACCES: 'this account cannot write there',
      EPERM: 'this account cannot write there',
      ENOTDIR: 'part of its path is a file',
      EEXIST: 'it is a file',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    };
    const reason = reasons[code ?? ''];
    if (reason === undefined) throw error;
    throw new CliError('failed', EXIT.failed, `Cannot use the directory ${path}: ${reason}.`, {
      hint: 'Restore as the account that runs the server, or choose another directory with --data-dir.',
    });
  }
}
