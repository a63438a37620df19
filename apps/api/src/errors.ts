/**
 * Every refusal that the product knows. `http/error-response.ts` maps each to its status; use-cases never see HTTP.
 * The message is public: it says what is wrong and what to change, and holds nothing internal and no secret.
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
  override readonly name = 'Refusal';
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Header fields that belong to this refusal: `Allow`, `Retry-After`, `WWW-Authenticate`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The caller asks too often, and may come back after so many whole seconds. */
export function tooManyRequests(message: string, retryAfterSeconds: number): AppError {
  return new AppError('too_many_requests', message, { 'retry-after': String(retryAfterSeconds) });
}

/** The store could not commit or read (full disk, I/O error). Nothing of a write is kept; the sender may try again. */
export class StoreUnavailable extends AppError {
  constructor(override readonly cause: unknown) {
    super('unavailable', 'The server cannot use its disk at the moment. Nothing was stored; try again later.');
  }
}
