import { join } from 'node:path';

export const SNAPSHOTS_FOLDER = 'snapshots';

/** The database cannot be used as it is. The message is for people and says what to do; nothing was changed. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

interface Place {
  file: string;
  dataDir: string;
}

/** What kept the database from being opened, in words for people where SQLite or the system has said why. */
export function explainOpenError(error: unknown, { file, dataDir }: Place): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') return error;
  const is = (...names: string[]): boolean => names.some((name) => code.startsWith(name));
  if (is('SQLITE_NOTADB')) {
    return new UnusableDatabase(
      `${file} is not a SQLite database. Move it away to start with an empty one, or put a backup in its place.`,
    );
  }
  if (is('SQLITE_CORRUPT')) return damagedDatabase({ file, dataDir }, message);
  if (is('SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return new UnusableDatabase(
      `Another program holds ${file} locked. End it (an open sqlite3 shell?) and start again.`,
    );
  }
  // SHMSIZE: there was no room for hub.db-shm.
  if (is('SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'))
    return new UnusableDatabase(`The disk of ${file} is full. Make room and start again.`);
  if (is('EROFS')) {
    return new UnusableDatabase(
      `${file} is on a file system that is read-only. If nobody has mounted it so, the disk had an error: look into the ` +
        'log of the kernel (dmesg), have the file system checked, mount it writable and start again.',
    );
  }
  if (is('SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM', 'SQLITE_IOERR', 'EACCES', 'EPERM', 'EIO', 'EISDIR')) {
    return new UnusableDatabase(
      `${file} cannot be opened for writing (${code}). See that its folder exists, that this user may write to the ` +
        'folder and to the file, and that the disk is sound.',
    );
  }
  return error;
}

export function damagedDatabase({ file, dataDir }: Place, finding: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} is damaged (${finding}). Copy the whole folder aside, then put a backup in its place, or the newest ` +
      `snapshot of ${join(dataDir, SNAPSHOTS_FOLDER)}. Remove hub.db-wal, hub.db-shm and search.db beside it then.`,
  );
}
