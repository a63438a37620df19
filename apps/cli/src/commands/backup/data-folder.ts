import { chownSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { lockFile } from '../../runtime/local-database.ts';

/** As the server names them. */
export const DATABASE_FILE = 'hub.db';
const LOCK_FILE = 'hub.lock';
/** What may be in an empty folder: the mark of a file system, a lock, and what a restore that was killed has left. */
const NOTHING = /^(lost\+found|hub\.lock|\.hub\.db\..*\.part(-journal)?)$/;

/** An empty data folder, in which no server can start meanwhile. */
export interface HeldFolder {
  /** Lets a file in it belong to whom the folder belongs to, where root works for somebody else. */
  reveal(file: string): void;
  /** Lets go of it. A folder that was made for nothing is taken away again. */
  release(isFilled: boolean): void;
}

/** Makes the folder (0700) if it is not there. Refuses one that holds anything or that a server uses. */
export async function holdEmptyFolder(path: string): Promise<HeldFolder> {
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
  if (names.every((name) => NOTHING.test(name))) return;
  const lock = existsSync(lockPath) ? await inFolder(path, () => lockFile(lockPath)) : undefined;
  if (lock === null) throw inUse(path);
  lock?.release();
  throw new CliError('conflict', EXIT.failed, `${path} is not empty.`, {
    hint: `Only an empty folder is restored into, so that nothing is lost. Move that one away:\n  ${away(path)}\nor name another one with --data-dir.`,
  });
}

function inUse(path: string): CliError {
  return new CliError('conflict', EXIT.failed, `A server is running on ${path}.`, {
    hint: `Stop it, and move its folder away:\n  ${away(path)}`,
  });
}

const away = (path: string): string => `mv ${path} ${path}.before`;

async function inFolder<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EACCES: 'this account may not write there',
      EPERM: 'this account may not write there',
      ENOTDIR: 'it is a file, or lies below one',
      EEXIST: 'it is a file',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    };
    const reason = reasons[code ?? ''];
    if (reason === undefined) throw error;
    throw new CliError('failed', EXIT.failed, `The folder ${path} cannot be used: ${reason}.`, {
      hint: 'Restore as the account that runs the server, or name another folder with --data-dir.',
    });
  }
}
