import type { Database } from 'bun:sqlite';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DATABASE } from '@hub/contract/database';
import { CliError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** The first bytes of every SQLite file (sqlite.org/fileformat.html, section 1.3). */
const SQLITE_HEADER = 'SQLite format 3\0';

/** A summary of a copy of a database. */
export interface CopyContents {
  /** ISO 8601; `null` if the copy was not created by a server. */
  takenAt: string | null;
  hubs: number;
  items: number;
  /** Whether it was created by a newer version of Hub, which this version cannot read. */
  isNewer: boolean;
}

/**
 * Verifies a copy of a server's database that nothing else uses. Throws a `CliError` if it is damaged or not a Hub
 * database; `shownAs` is its name in the message. Only reads the file, and creates no other file next to it.
 */
export async function inspectCopy(file: string, shownAs: string): Promise<CopyContents> {
  if (!isSqlite(file)) throw unusable(shownAs, 'is not a SQLite database');
  // Loaded on demand, since few commands need it.
  const sqlite = await import('bun:sqlite');
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = sqlite.constants;
  // With `immutable`, SQLite creates no log and no lock next to the file (sqlite.org/uri.html).
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
  return new CliError('unusable_backup', EXIT.failed, `${shownAs} ${why}.`, { hint: 'Nothing was restored or saved.' });
}
