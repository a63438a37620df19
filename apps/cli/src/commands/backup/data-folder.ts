import type { Database } from 'bun:sqlite';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DATABASE } from '@hub/contract/database';
import { type CliError, failed } from '../../runtime/errors.ts';
import { count, showTime } from '../../runtime/format.ts';

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
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = await lockFile(lockPath);
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
  if (readdirSync(path).every((name) => IGNORED_NAMES.test(name))) return;
  const lock = existsSync(lockPath) ? await lockFile(lockPath) : undefined;
  if (lock === null) throw inUse(path);
  lock?.release();
  throw failed(
    'conflict',
    `${path} is not empty.`,
    `Restore needs an empty directory, so that no data is lost. Move this one away:\n  ${away(path)}\nor choose another one with --data-dir.`,
  );
}

function inUse(path: string): CliError {
  return failed(
    'conflict',
    `A server is using ${path}.`,
    `Stop the server and move its directory away:\n  ${away(path)}`,
  );
}

const away = (path: string): string => `mv ${path} ${path}.before`;

/** A summary of a copy of a database. */
export interface CopyContents {
  /** ISO 8601; `null` if the copy was not created by a server. */
  takenAt: string | null;
  hubs: number;
  items: number;
  /** Whether it was created by a newer version of Hub, which this version cannot read. */
  isNewer: boolean;
}

/** `3 Hubs with 120 items as of 2026-03-01 09:30 UTC` */
export function holding({ hubs, items, takenAt }: CopyContents): string {
  return `${count(hubs, 'Hub')} with ${count(items, 'item')}${takenAt === null ? '' : ` as of ${showTime(takenAt)}`}`;
}

/**
 * Verifies a copy of a server's database that nothing else uses. Throws a `CliError` if it is damaged or not a Hub
 * database; `shownAs` is its name in the message. Only reads the file, and creates no other file next to it.
 */
export async function inspectCopy(file: string, shownAs: string): Promise<CopyContents> {
  const { SQLiteError } = await import('bun:sqlite');
  return readCopy(file, (copy) => contentsOf(shownAs, copy)).catch((error) => {
    if (!(error instanceof SQLiteError)) throw error;
    if (error.code === 'SQLITE_NOTADB') throw unusable(shownAs, 'is not a SQLite database');
    throw unusable(shownAs, `is damaged (${error.message})`);
  });
}

/** Opens a database that no server uses, without creating a log or a lock next to it. */
export async function readCopy<T>(file: string, read: (copy: Database) => T): Promise<T> {
  const { Database, constants } = await import('bun:sqlite');
  // sqlite.org/uri.html
  const uri = `${pathToFileURL(resolve(file)).href}?immutable=1`;
  const copy = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    return read(copy);
  } finally {
    copy.close(false);
  }
}

function contentsOf(shownAs: string, copy: Database): CopyContents {
  const first = (sql: string): unknown => copy.query(sql).values()[0]?.[0];
  if (first('PRAGMA application_id') !== DATABASE.applicationId) throw unusable(shownAs, 'is not a Hub database');
  const finding = first('PRAGMA integrity_check(1)');
  if (finding !== 'ok') throw unusable(shownAs, `is damaged (${finding})`);
  const takenAt = Number(first('PRAGMA user_version'));
  return {
    takenAt: takenAt === 0 ? null : new Date(takenAt * 1000).toISOString(),
    hubs: Number(first('SELECT count(*) FROM hubs WHERE deleted_at IS NULL')),
    items: Number(first('SELECT coalesce(sum(item_count), 0) FROM hubs')),
    isNewer: Number(first('SELECT count(*) FROM __drizzle_migrations')) > DATABASE.migrations,
  };
}

/** Marks a database as a copy taken now, so that a server that starts on it begins a new epoch. */
export async function markAsCopy(file: string, now: number): Promise<void> {
  const { Database } = await import('bun:sqlite');
  const copy = new Database(file, { readwrite: true, create: false });
  try {
    copy.exec(`PRAGMA user_version = ${Math.floor(now / 1000)}`);
  } finally {
    copy.close(false);
  }
}

/**
 * Takes the lock that a running server holds on its data directory; returns `null` if a server holds it. The operating
 * system releases the lock when this process ends.
 */
async function lockFile(file: string): Promise<{ release(): void } | null> {
  const { Database, SQLiteError } = await import('bun:sqlite');
  closeSync(openSync(file, 'a', 0o600));
  const lock = new Database(file, { readwrite: true, create: false });
  try {
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock.close(false) };
  } catch (error) {
    lock.close(false);
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}

function unusable(shownAs: string, why: string): CliError {
  return failed('unusable_backup', `${shownAs} ${why}.`, 'Nothing was restored or saved.');
}
