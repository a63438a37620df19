import { SQL } from 'bun';
import { DrizzleQueryError } from 'drizzle-orm';
import { AppError, StoreUnavailable } from '../../../platform/errors.ts';

/**
 * Classes of error codes (postgresql.org/docs/current/errcodes-appendix.html) that come from the server or its disk, and
 * not from the statement: connection, insufficient resources, operator intervention (also a timeout), system, internal.
 */
const STORAGE_CLASSES = ['08', '53', '57', '58', 'XX'];
/** A standby, or a primary that was demoted; a lock that was not released in time. */
const LOCK_TIMEOUT = '55P03';
const STORAGE_CODES = ['25006', '25P03', LOCK_TIMEOUT];

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const QUERY_CANCELED = '57014';
const UNIQUE_VIOLATION = '23505';
/** A character that text in PostgreSQL cannot contain: U+0000. */
const UNTRANSLATABLE = '22021';

/** Returns the error of the server, which Drizzle wraps. On SQLite, text with U+0000 is merely not found. */
export function errorOfStatement(error: unknown): unknown {
  const cause = error instanceof DrizzleQueryError && error.cause ? error.cause : error;
  const isUntranslatable = cause instanceof SQL.PostgresError && stateOf(cause) === UNTRANSLATABLE;
  return isUntranslatable ? new AppError('invalid', 'Text must not contain U+0000') : cause;
}

/** Whether an error comes from the database, the network or the disk, and not from the statement itself. */
export function isStorageError(error: unknown): boolean {
  if (!(error instanceof SQL.PostgresError)) return false;
  const state = stateOf(error);
  // Without a state, the error comes from the connection and not from the server.
  if (state === '') return error.code.startsWith('ERR_POSTGRES_');
  return STORAGE_CODES.includes(state) || STORAGE_CLASSES.includes(state.slice(0, 2));
}

/** Whether the transaction failed only because of another one that ran at the same time, so that it has to run again. */
export function isConflict(error: unknown): boolean {
  return error instanceof SQL.PostgresError && [SERIALIZATION_FAILURE, DEADLOCK].includes(stateOf(error));
}

/** Whether the transaction would have written a second row with a key that must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof SQL.PostgresError && stateOf(error) === UNIQUE_VIOLATION;
}

/** Whether another transaction held a lock for longer than the statement was to wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof SQL.PostgresError && stateOf(error) === LOCK_TIMEOUT;
}

/** Whether a read was canceled because its statement took too long. */
export function isStatementTimeout(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof SQL.PostgresError && stateOf(cause) === QUERY_CANCELED;
}

/** The SQLSTATE that the server has reported. */
function stateOf(error: SQL.PostgresError): string {
  return error.errno ?? '';
}
