/**
 * The codes of all errors that the product reports. `http/error-response.ts` maps each to its status; use-cases never
 * see HTTP. Messages are public: they say what is wrong and what to change, and contain no internals and no secrets.
 */
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

/** The store failed to commit or read (full disk, I/O error). A failed write leaves nothing behind; retry it later. */
export class StoreUnavailable extends AppError {
  constructor(override readonly cause: unknown) {
    const message = 'The server cannot use its database at the moment. Nothing was stored; try again later.';
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
