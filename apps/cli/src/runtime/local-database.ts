import type { Database } from 'bun:sqlite';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DATABASE } from '@hub/contract/database';
import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** How every SQLite file begins (sqlite.org/fileformat.html, section 1.3). */
const SQLITE_HEADER = 'SQLite format 3\0';

/** What stands in a copy of a database. */
export interface CopyContents {
  /** ISO 8601; `null` if the server has not made this copy. */
  takenAt: string | null;
  hubs: number;
  items: number;
  /** Whether a newer version than this one has made it, which alone can read it. */
  isNewer: boolean;
}

/**
 * Looks through a copy of a server's database that nobody else uses, the whole of it. Throws a `CliError` if it is damaged or no such
 * copy, which calls it `shownAs`. It is only read, and nothing is made beside it.
 */
export async function inspectCopy(file: string, shownAs: string): Promise<CopyContents> {
  if (!isSqlite(file)) throw unusable(shownAs, 'is not a SQLite database');
  // Loaded by the few commands that need it.
  const sqlite = await import('bun:sqlite');
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = sqlite.constants;
  // Told that nobody changes the file, SQLite makes no log and no lock beside it (sqlite.org/uri.html).
  const uri = `${pathToFileURL(resolve(file)).href}?immutable=1`;
  const copy = new sqlite.Database(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  try {
    return contentsOf(shownAs, copy);
  } catch (error) {
    if (!(error instanceof sqlite.SQLiteError)) throw error;
    throw unusable(shownAs, `is damaged (${error.message})`);
  } finally {
    copy.close(false);
  }
}

function contentsOf(shownAs: string, copy: Database): CopyContents {
  const first = (sql: string): unknown => copy.query(sql).values()[0]?.[0];
  if (first('PRAGMA application_id') !== DATABASE.applicationId) throw unusable(shownAs, 'is not a database of Hub');
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

/** Says of a database that it is a copy, taken now, so that the server which starts on it begins another history. */
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
 * Takes the lock that a server holds on its data folder as long as it runs; `null` if one does. The operating system drops it when
 * this process ends.
 */
export async function lockFile(file: string): Promise<{ release(): void } | null> {
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

function isSqlite(file: string): boolean {
  const header = Buffer.alloc(SQLITE_HEADER.length);
  const opened = openSync(file, 'r');
  try {
    return readSync(opened, header) === header.length && header.toString('latin1') === SQLITE_HEADER;
  } finally {
    closeSync(opened);
  }
}

function unusable(shownAs: string, why: string): CliError {
  return new CliError('unusable_backup', EXIT.failed, `${shownAs} ${why}.`, { hint: 'Nothing was kept of it.' });
}
