import { SQLiteError } from 'bun:sqlite';
import { AppError, StoreUnavailable } from '../../platform/errors.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html) for errors with the disk, the file or its lock. */
const SQLITE_STORAGE_ERRORS = [
  ...[
    'SQLITE_BUSY',
    'SQLITE_CANTOPEN',
    'SQLITE_CORRUPT',
    'SQLITE_FULL',
    'SQLITE_IOERR',
    'SQLITE_LOCKED',
    'SQLITE_NOMEM',
  ],
  ...['SQLITE_NOTADB', 'SQLITE_PERM', 'SQLITE_PROTOCOL', 'SQLITE_READONLY'],
];
const DAMAGES = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/**
 * Classes of error codes (postgresql.org/docs/current/errcodes-appendix.html) that come from the server or its disk:
 * connection, insufficient resources, operator intervention (also a timeout), system, internal.
 */
const POSTGRES_STORAGE_CLASSES = ['08', '53', '57', '58', 'XX'];
const LOCK_TIMEOUT = '55P03';
/** A standby, or a primary that was demoted; a lock that was not released in time. */
const POSTGRES_STORAGE_CODES = ['25006', '25P03', LOCK_TIMEOUT];

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const QUERY_CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';
/** A character that text in PostgreSQL cannot contain: U+0000. */
const UNTRANSLATABLE = '22021';

/** Whether an error comes from the database, the network or the disk, and not from the statement itself. */
export function isStorageError(error: unknown): boolean {
  if (error instanceof SQLiteError) return error.code !== undefined && isStorageErrorCode(error.code);
  if (!isPostgresError(error)) return false;
  // Without a state, the error comes from the connection and not from the server.
  if (!error.errno) return error.code.startsWith('ERR_POSTGRES_');
  return POSTGRES_STORAGE_CODES.includes(error.errno) || POSTGRES_STORAGE_CLASSES.includes(error.errno.slice(0, 2));
}

/** Like `isStorageError`, but by SQLite's code: only the code can be sent between threads. */
export function isStorageErrorCode(code: string): boolean {
  return SQLITE_STORAGE_ERRORS.some((problem) => code.startsWith(problem));
}

/** Whether another program holds a lock on the SQLite database. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}

/** Whether the content of the SQLite file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && error.code !== undefined && isDamageCode(error.code);
}

export function isDamageCode(code: string): boolean {
  return DAMAGES.some((problem) => code.startsWith(problem));
}

/** Whether an error comes from Bun's client for PostgreSQL. By name, since naming the class would load the client. */
function isPostgresError(error: unknown): error is Bun.SQL.PostgresError {
  return error instanceof Error && error.name === 'PostgresError';
}

/** Whether PostgreSQL has reported one of these states. */
function hasState(error: unknown, ...states: string[]): boolean {
  return isPostgresError(error) && states.includes(error.errno ?? '');
}

/** Returns the error of a statement in PostgreSQL as callers expect it: on SQLite, text with U+0000 is merely not found. */
export function errorOfStatement(error: unknown): unknown {
  return hasState(error, UNTRANSLATABLE) ? new AppError('invalid', 'Text must not contain U+0000') : error;
}

/** Whether the transaction failed only because of another one that ran at the same time, so that it has to run again. */
export function isConflict(error: unknown): boolean {
  return hasState(error, SERIALIZATION_FAILURE, DEADLOCK);
}

/** Whether the transaction would have written a second row with a key that must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, UNIQUE_VIOLATION);
}

/** Whether another transaction held a lock for longer than the statement was to wait. */
export function isLockTimeout(error: unknown): boolean {
  return hasState(error, LOCK_TIMEOUT);
}

/** Whether a read was canceled because its statement took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return hasState(error instanceof StoreUnavailable ? error.cause : error, QUERY_CANCELED);
}

/** Returns a function that reads asynchronously, as the port requires, and whose storage errors are `StoreUnavailable`. */
export function reading<Args extends unknown[], Result>(read: (...args: Args) => Result | Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await read(...args);
    } catch (error) {
      throw isStorageError(error) ? new StoreUnavailable(error) : error;
    }
  };
}
