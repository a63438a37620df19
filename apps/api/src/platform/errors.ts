/** The codes of all errors (status: `http/error-response.ts`). Their messages are public: no internals, no secrets. */
export type ErrorCode =
  | 'invalid' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'rate_limited' // 403 with Retry-After
  | 'not_found' // 404
  | 'method_not_allowed' // 405
  | 'too_slow' // 408
  | 'conflict' // 409
  | 'too_large' // 413
  | 'unsupported_media_type' // 415
  | 'out_of_range' // 416
  | 'upgrade_required' // 426
  | 'too_many_requests' // 429 with Retry-After
  | 'unavailable'; // 503

export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Header fields of the response: `Allow`, `Retry-After`, `WWW-Authenticate`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Returns the error for a caller that sends too many requests. `retryAfterSeconds` is a whole number. */
export function tooManyRequests(message: string, retryAfterSeconds: number): AppError {
  return new AppError('too_many_requests', message, { 'retry-after': String(retryAfterSeconds) });
}

/** Returns the error for a caller for whom the server has no room at the moment. */
export function tooBusy(message: string, retryAfterSeconds = 3): AppError {
  return new AppError('unavailable', message, { 'retry-after': String(retryAfterSeconds) });
}

/**
 * The store failed to commit or read (full disk, I/O error). A failed write leaves nothing behind; retry it later. Only if
 * the database did not respond to the commit, nobody knows, and what was written may be there, or appear later.
 */
export class StoreUnavailable extends AppError {
  constructor(
    override readonly cause: unknown,
    { mayBeStored = false } = {},
  ) {
    const message = mayBeStored
      ? 'The database did not confirm in time that this was stored. It may have been stored: check before you send it again.'
      : 'The server cannot use its database at the moment. Nothing was stored; try again later.';
    super('unavailable', message, { 'retry-after': '5' });
  }
}

/** An expected problem that keeps the server from starting. The message says what is wrong and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the error code of the operating system (such as `EACCES`), or else the message of the error. */
export function causeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}

const MAX_SHOWN_CHARACTERS = 200;
const MAX_ID_CHARACTERS = 64;

/** Makes untrusted text safe for a message: truncates it and replaces characters that control a terminal. */
export function printable(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Returns "There is no Hub hub_0.", for example. `id` is empty if the id in the path cannot be decoded. */
export function notFound(noun: string, id: string): AppError {
  return new AppError(
    'not_found',
    `There is no ${noun} ${id === '' ? 'with this id' : printable(id, MAX_ID_CHARACTERS)}.`,
  );
}
