import { Database } from 'bun:sqlite';
import { join, resolve } from 'node:path';
import { causeOf, StartError } from '../../../platform/errors.ts';

const LOCK_FILE = 'hub.lock';

/**
 * Locks the data folder for this process, or throws a StartError. This is SQLite's own lock on a separate, empty
 * database: the operating system drops it when the process ends, so no stale file keeps a server from starting. Nothing
 * else in this process may open and close that file: on POSIX that would drop the lock.
 */
export function lockDataDir(dataDir: string) {
  const shown = resolve(dataDir);
  let database: Database | undefined;
  try {
    database = new Database(join(dataDir, LOCK_FILE), { create: true });
    database.exec('PRAGMA busy_timeout = 0');
    // The transaction never writes anything, so it needs no journal file.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const cause = causeOf(error);
    if (cause.startsWith('SQLITE_BUSY')) {
      throw new StartError(
        `Another Hub server is running on ${shown}. Stop it first, or set HUB_DATA_DIR to another directory.`,
      );
    }
    throw new StartError(
      `The data directory ${shown} (HUB_DATA_DIR) cannot be locked: ${cause}. It must be writable and on a file system with locks; many network file systems have none.`,
    );
  }
  const held = database;
  return { release: (): void => held.close() };
}
