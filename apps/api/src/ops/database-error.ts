import { resolve } from 'node:path';
import { causeOf, StartError } from './start-error.ts';

/** Puts what SQLite said when the database was opened into words for people; null if it is not foreseen. */
export function databaseError(error: unknown, dataDir: string): StartError | null {
  const folder = resolve(dataDir);
  const cause = causeOf(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(cause)) {
    return new StartError(
      `The database in ${folder} is damaged (${cause}). Nothing was changed. Put the folder aside, and restore a backup, or the newest file in ${folder}/snapshots as hub.db, into an empty one.`,
    );
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(cause)) {
    return new StartError(
      `The database in ${folder} cannot be opened for writing (${cause}). Check that this user may write hub.db and the files beside it.`,
    );
  }
  if (/^SQLITE_BUSY/.test(cause)) {
    return new StartError(
      `Another program has locked the database in ${folder}. Close it (a database browser, a copy that runs), then start again.`,
    );
  }
  if (/^SQLITE_(FULL|IOERR)/.test(cause)) {
    return new StartError(
      `The disk under ${folder} does not take writes (${cause}). Make room, or check the disk, then start again.`,
    );
  }
  return null;
}
