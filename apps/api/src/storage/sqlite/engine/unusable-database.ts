import { join } from 'node:path';

export const SNAPSHOTS_FOLDER = 'snapshots';

/** The database cannot be used as it is, and was not changed. The message tells the admin what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

interface DatabasePaths {
  file: string;
  dataDir: string;
}

/** Explains errors of SQLite or the operating system when the database is opened. */
export function explainOpenError(error: unknown, { file, dataDir }: DatabasePaths): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') return error;
  const is = (...names: string[]): boolean => names.some((name) => code.startsWith(name));
  if (is('SQLITE_NOTADB')) {
    return new UnusableDatabase(
      `${file} is not a SQLite database. Move it away to start with an empty database, or put a backup in its place.`,
    );
  }
  if (is('SQLITE_CORRUPT')) return damagedDatabase({ file, dataDir }, message);
  if (is('SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return new UnusableDatabase(
      `Another program has locked ${file}. Close it (an open sqlite3 shell?) and start again.`,
    );
  }
  // SHMSIZE: there was no space for hub.db-shm.
  if (is('SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'))
    return new UnusableDatabase(`The disk of ${file} is full. Free some space and start again.`);
  if (is('EROFS')) {
    return new UnusableDatabase(
      `${file} is on a read-only file system. If it was not mounted that way on purpose, the disk had an error: check the ` +
        'kernel log (dmesg), check the file system, mount it writable and start again.',
    );
  }
  if (is('SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_IOERR', 'EACCES', 'EPERM', 'EIO', 'EISDIR')) {
    return new UnusableDatabase(
      `${file} cannot be opened for writing (${code}). Check that its folder exists, that this user can write to the ` +
        'folder and to the file, and that the disk is healthy.',
    );
  }
  return error;
}

export function damagedDatabase({ file, dataDir }: DatabasePaths, finding: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} is damaged (${finding}). Make a copy of the whole folder, then replace the database with a backup or the newest ` +
      `snapshot of ${join(dataDir, SNAPSHOTS_FOLDER)}. Then delete hub.db-wal, hub.db-shm and search.db beside it.`,
  );
}
