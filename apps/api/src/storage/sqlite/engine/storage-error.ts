import { SQLiteError } from 'bun:sqlite';
import { StoreUnavailable } from '../../../platform/errors.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html) for errors with the disk, the file or its lock. */
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

/**
 * Whether an error comes from the database or the disk, and not from the statement itself. Drizzle does not wrap
 * errors.
 */
export function isStorageError(error: unknown): boolean {
  return error instanceof SQLiteError && error.code !== undefined && isStorageErrorCode(error.code);
}

/** Like `isStorageError`, but by code: only the code can be sent between threads. */
export function isStorageErrorCode(code: string): boolean {
  return STORAGE_ERRORS.some((problem) => code.startsWith(problem));
}

/** Whether another program holds a lock on the database. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}

/** Whether the content of the file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && error.code !== undefined && isDamageCode(error.code);
}

export function isDamageCode(code: string): boolean {
  return DAMAGES.some((problem) => code.startsWith(problem));
}

/**
 * Makes a reading function asynchronous, as the port requires, and turns its storage errors into `StoreUnavailable`.
 */
export function reading<Args extends unknown[], Result>(read: (...args: Args) => Result | Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await read(...args);
    } catch (error) {
      throw isStorageError(error) ? new StoreUnavailable(error) : error;
    }
  };
}
