import { SQLiteError } from 'bun:sqlite';
import { StoreUnavailable } from '../../errors.ts';

/** Faults of the disk, of the file or of the lock on it, by SQLite's primary result codes (sqlite.org/rescode.html). */
const STORAGE_ERRORS = [
  'BUSY',
  'CANTOPEN',
  'CORRUPT',
  'FULL',
  'IOERR',
  'LOCKED',
  'NOMEM',
  'NOTADB',
  'PERM',
  'PROTOCOL',
  'READONLY',
].map((name) => `SQLITE_${name}`);

const DAMAGES = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether an error is the database's or the disk's, and no judgement on the statement itself. Drizzle wraps none. */
export function isStorageError(error: unknown): boolean {
  return error instanceof SQLiteError && error.code !== undefined && isStorageErrorCode(error.code);
}

/** The same of the code alone: that is what crosses between threads. */
export function isStorageErrorCode(code: string): boolean {
  return STORAGE_ERRORS.some((problem) => code.startsWith(problem));
}

/** Whether what is in the file is wrong, whatever the disk does. */
export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && error.code !== undefined && isDamageCode(error.code);
}

export function isDamageCode(code: string): boolean {
  return DAMAGES.some((problem) => code.startsWith(problem));
}

/** Makes a reading function asynchronous, as the port has it, and its storage faults `StoreUnavailable`. */
export function reading<Args extends unknown[], Result>(read: (...args: Args) => Result) {
  return async (...args: Args): Promise<Result> => {
    try {
      return read(...args);
    } catch (error) {
      throw isStorageError(error) ? new StoreUnavailable(error) : error;
    }
  };
}
