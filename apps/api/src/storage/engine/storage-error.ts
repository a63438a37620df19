import { SQLiteError } from 'bun:sqlite';
import { AppError, StoreUnavailable } from '../../platform/errors.ts';

/** SQLite's primary result codes (sqlite.org/rescode.html) for errors with the disk, the file or its lock. */
const SQLITE_STORAGE_ERRORS = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PERM|PROTOCOL|READONLY)/;

/**
 * Classes of error codes (postgresql.org/docs/current/errcodes-appendix.html) that come from the server or its disk:
 * connection, insufficient resources, operator intervention (also a timeout), system, internal.
 */
const POSTGRES_STORAGE_CLASSES = ['08', '53', '57', '58', 'XX'];
const LOCK_TIMEOUT = '55P03';
/** A serialization failure, or a deadlock. */
const CONFLICTS = ['40001', '40P01'];
/** Also a standby, or a primary that was demoted; a lock that was not released in time. */
const POSTGRES_STORAGE_CODES = ['25006', '25P03', LOCK_TIMEOUT, ...CONFLICTS];

/** Whether an error comes from the database, the network or the disk, and not from the statement itself. */
export function isStorageError(error: unknown): boolean {
  if (error instanceof SQLiteError) return isStorageErrorCode(error.code ?? '');
  if (!isPostgresError(error)) return false;
  // Without a state, the error comes from the connection and not from the server.
  if (!error.errno) return error.code.startsWith('ERR_POSTGRES_');
  return POSTGRES_STORAGE_CODES.includes(error.errno) || POSTGRES_STORAGE_CLASSES.includes(error.errno.slice(0, 2));
}

/** Like `isStorageError`, but by SQLite's code: only the code can be sent between threads. */
export const isStorageErrorCode = (code: string): boolean => SQLITE_STORAGE_ERRORS.test(code);

/** Whether another program holds a lock on the SQLite database. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}

/** Whether the content of the SQLite file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && isDamageCode(error.code ?? '');
}

export const isDamageCode = (code: string): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(code);

/** Whether an error comes from Bun's client for PostgreSQL. By name, since naming the class would load the client. */
function isPostgresError(error: unknown): error is Bun.SQL.PostgresError {
  return error instanceof Error && error.name === 'PostgresError';
}

/** Whether the connection to PostgreSQL was lost. A pooler reports it with a state (class 08), and so does a shutdown. */
export function isConnectionLost(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  return error.errno ? /^(08|57P)/.test(error.errno) : error.code.startsWith('ERR_POSTGRES_');
}

/** Returns what tells whether PostgreSQL has reported one of these states. */
const hasState =
  (...states: string[]) =>
  (error: unknown): boolean =>
    isPostgresError(error) && states.includes(error.errno ?? '');

const isUntranslatable = hasState('22021');
/** Returns the error of a statement in PostgreSQL as callers expect it: on SQLite, text with U+0000 is merely not found. */
export function errorOfStatement(error: unknown): unknown {
  return isUntranslatable(error) ? new AppError('invalid', 'Text must not contain U+0000') : error;
}

/** The transaction has to run again, because of another one. */
export const isConflict = hasState(...CONFLICTS);

export const isUniqueViolation = hasState('23505');

/** Another transaction held a lock for longer than the statement was to wait. */
export const isLockTimeout = hasState(LOCK_TIMEOUT);

const isCanceled = hasState('57014');
/** Whether a read was canceled because its statement took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return isCanceled(error instanceof StoreUnavailable ? error.cause : error);
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
