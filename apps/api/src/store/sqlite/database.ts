import { Database } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';

export type Db = BunSQLiteDatabase & { $client: Database };

/** Marks our files among all SQLite files: "HUB1" (sqlite.org/fileformat.html, offset 68). */
export const APPLICATION_ID = 0x48554231;

/**
 * Pages in the log before a commit also checkpoints. Small and often: at 200 pages a commit that checkpoints costs a
 * few milliseconds, at SQLite's default of 1,000 it shows in the 99th percentile. Measured: docs/measurements.md.
 */
const CHECKPOINT_PAGES = 200;

/** Opens the database file (0600 by the process' umask) with the settings that the durability promise rests on. */
export function openDatabase(file: string, options: { synchronous?: 'FULL' | 'NORMAL' } = {}): Db {
  const client = new Database(file, { create: true, strict: true });
  client.exec('PRAGMA journal_mode = WAL');
  // FULL flushes the log at every commit; NORMAL would answer before the post is on disk.
  client.exec(`PRAGMA synchronous = ${options.synchronous ?? 'FULL'}`);
  client.exec('PRAGMA foreign_keys = ON');
  client.exec('PRAGMA trusted_schema = OFF');
  client.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Savepoints copy the pages that they may have to put back; in memory that costs no file.
  client.exec('PRAGMA temp_store = MEMORY');
  client.exec('PRAGMA cache_size = -65536');
  // Only one process writes, under the lock of the data folder. Waiting here would stop the event loop.
  client.exec('PRAGMA busy_timeout = 0');
  return drizzle(client, { casing: 'snake_case' }) as Db;
}
