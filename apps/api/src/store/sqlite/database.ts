import { Database } from 'bun:sqlite';
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DATABASE } from '@hub/contract/database';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';

export type Db = BunSQLiteDatabase & { $client: Database };

export const APPLICATION_ID = DATABASE.applicationId;

/** Sorts behind every id: the first page of a list begins before it, by the same statement as all the others. */
export const AFTER_ALL_IDS = '~';

/**
 * Pages in the log before a commit also checkpoints: 4 MiB. A batch of 64 posts writes some 70 pages, so at 200 every
 * third batch would copy the same pages into the database and flush it; at 4,000 the copying shows as a pause.
 */
const CHECKPOINT_PAGES = 1_000;

/**
 * Makes a file that only its owner may read and write, if it is not there, and whatever the umask of the process is. One
 * that is there is not opened: closing it again would drop every lock that SQLite holds on it in this process.
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
}

/**
 * Opens the database file with the settings that the durability promise rests on. Its mode is 0600, and SQLite gives
 * the same to the log beside it.
 */
export function openDatabase(file: string, { busyTimeoutMs = 0 } = {}): Db {
  createPrivateFile(file);
  const client = new Database(file, { create: true, strict: true });
  try {
    configure(client, busyTimeoutMs);
  } catch (error) {
    client.close(false);
    throw error;
  }
  return drizzle(client, { casing: 'snake_case' }) as Db;
}

function configure(client: Database, busyTimeoutMs: number): void {
  // Only one process writes, under the lock of the data folder, but an administrator's tool may hold the file for a moment.
  // A thread that does nothing else can wait for it; the event loop cannot.
  client.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const mode = client.query<{ journal_mode: string }, []>('PRAGMA journal_mode = WAL').get()?.journal_mode;
  // SQLite keeps the old mode without an error where shared memory does not work, as on some network file systems.
  if (mode !== 'wal')
    throw new Error(`The file system of ${client.filename} does not allow SQLite's WAL mode: use a local disk`);
  // FULL flushes the log at every commit; NORMAL would answer before the post is on disk.
  client.exec('PRAGMA synchronous = FULL');
  // On macOS alone: fsync there leaves the data in the cache of the drive, F_FULLFSYNC does not.
  client.exec('PRAGMA fullfsync = ON');
  client.exec('PRAGMA foreign_keys = ON');
  client.exec('PRAGMA trusted_schema = OFF');
  client.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Savepoints copy the pages that they may have to put back; in memory that costs no file.
  client.exec('PRAGMA temp_store = MEMORY');
  client.exec('PRAGMA cache_size = -65536');
}
