import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { DATABASE } from '@hub/contract/database';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { createPrivateFile } from './private-file.ts';

export type Db = BunSQLiteDatabase & { $client: Database };

export const APPLICATION_ID = DATABASE.applicationId;

/**
 * Once the log has this many pages (4 MiB), a commit also checkpoints. A batch of 64 posts writes about 70. At 200,
 * every third batch would copy the same pages into the database; at 4,000, copying causes a noticeable pause.
 */
const CHECKPOINT_PAGES = 1_000;

/** Opens the database with the settings on which durability depends. SQLite gives the log the same mode, 0600. */
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
  // An administrator's tool may lock the file briefly. A thread of its own can wait for that; the event loop cannot.
  client.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  const mode = client.query<{ journal_mode: string }, []>('PRAGMA journal_mode = WAL').get()?.journal_mode;
  // Without shared memory, as on some network file systems, SQLite keeps the old mode without an error.
  if (mode !== 'wal')
    throw new Error(`The file system of ${client.filename} does not support SQLite's WAL mode. Use a local disk.`);
  // FULL flushes the log at every commit; NORMAL would respond before the post is on disk.
  client.exec('PRAGMA synchronous = FULL');
  // Only matters on macOS, where fsync leaves the data in the drive's cache and F_FULLFSYNC does not.
  client.exec('PRAGMA fullfsync = ON');
  client.exec('PRAGMA foreign_keys = ON');
  client.exec('PRAGMA trusted_schema = OFF');
  client.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Large sorts and the temporary tables of queries need no file.
  client.exec('PRAGMA temp_store = MEMORY');
  // 16 MiB of pages. Four times as much takes 80 MiB more under load and saves no measurable time.
  client.exec('PRAGMA cache_size = -16384');
}

/**
 * Marks a copy with the time it was taken, in seconds since 1970. It is 0 in a database that a server has used, so a
 * copy is recognized however it got into a data folder.
 */
export function markCopy(file: string, takenAt: number, { flushed }: { flushed: boolean }): void {
  const copy = new Database(file, { readwrite: true, create: false });
  try {
    if (!flushed) copy.exec('PRAGMA synchronous = OFF');
    copy.exec(`PRAGMA user_version = ${Math.max(1, Math.floor(takenAt / 1000))}`);
  } finally {
    copy.close(false);
  }
}

/** Returns the size of a file, or `null` if there is none. */
export function bytesOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
