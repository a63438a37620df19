import { retryAfterSeconds } from '@hub/contract/retry-after';

/**
 * The meaning of an error for the caller. `uncertain` is exactly the errors after which the post may exist; after all others
 * it does not.
 *
 * - `usage`: an option or the input is invalid
 * - `invalid`, `too_large`, `unsupported_media_type`: the server rejected the content
 * - `unauthenticated`: the key is unknown, expired or revoked
 * - `missing_scope`: the key may not create this kind of post
 * - `rate_limited`: the key is blocked, or 429; see `retryAfterSeconds` of HubApiError
 * - `not_found`: the key's Hub was deleted, or `baseUrl` is wrong
 * - `redirected`: `baseUrl` redirects
 * - `unreachable`: nothing was sent
 * - `unavailable`: the server says that it stored nothing, for example because its disk is full; try again later
 * - `rejected`: any other error response
 * - `uncertain`: a timeout, a lost connection, any other 5xx, or a success response that is not from a Hub server
 */
export type HubErrorKind =
  | 'usage'
  | 'invalid'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unauthenticated'
  | 'missing_scope'
  | 'rate_limited'
  | 'not_found'
  | 'redirected'
  | 'unreachable'
  | 'unavailable'
  | 'rejected'
  | 'uncertain';

/**
 * The base class of all errors in this package. An aborted call rejects with the reason of the caller's
 * `AbortController` instead.
 */
export class HubError extends Error {
  static {
    HubError.prototype.name = 'HubError';
  }

  /**
   * Whether the post may exist although the call failed. There is no idempotency key, so a retry after `true` may post
   * twice. A retry after `false` cannot.
   */
  readonly mayHaveCreated: boolean;

  /** Like the class, for a `switch`, or where the error may come from another copy of this package. */
  readonly kind: HubErrorKind;

  constructor(message: string, kind: HubErrorKind, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.mayHaveCreated = kind === 'uncertain';
  }

  /** Returns what `JSON.stringify` shows: also the name and the message, which it leaves out of other errors. */
  toJSON(): { name: string; message: string; kind: HubErrorKind; mayHaveCreated: boolean } {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/** The options or the input are invalid. Nothing was sent. */
export class HubUsageError extends HubError {
  static {
    HubUsageError.prototype.name = 'HubUsageError';
  }

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, 'usage', options);
  }
}

/** No complete response: the server was unreachable, or the connection was lost. `cause` is the `fetch` error. */
export class HubConnectionError extends HubError {
  static {
    HubConnectionError.prototype.name = 'HubConnectionError';
  }

  /** The system error code, such as `ECONNREFUSED`, if the runtime provides it. */
  readonly code: string | undefined;

  /** Whether TLS failed before the request was sent, because of the certificate or because the server has no TLS. */
  readonly handshakeFailed: boolean;

  constructor(
    message: string,
    details: { mayHaveCreated: boolean; handshakeFailed?: boolean; code?: string | undefined; cause?: unknown },
  ) {
    const kind = details.mayHaveCreated ? 'uncertain' : 'unreachable';
    super(message, kind, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.handshakeFailed = details.handshakeFailed ?? false;
  }
}

/** No complete response arrived within `timeoutMs`. */
export class HubTimeoutError extends HubConnectionError {
  static {
    HubTimeoutError.prototype.name = 'HubTimeoutError';
  }

  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms; the post may have been created.`, { mayHaveCreated: true });
    this.timeoutMs = timeoutMs;
  }
}

/** Any response but the success of a Hub server. */
export class HubResponseError extends HubError {
  static {
    HubResponseError.prototype.name = 'HubResponseError';
  }

  /** The HTTP status. */
  readonly statusCode: number;
  /** `X-Request-Id` of the response, to quote to the admin of the server. */
  readonly requestId: string | undefined;
  /** Whole seconds after which to try again, if the response says so, as 403 (blocked), 429 and 503 do. */
  readonly retryAfterSeconds: number | undefined;
  readonly #headers: Headers;

  constructor(message: string, kind: HubErrorKind, { status, headers }: { status: number; headers: Headers }) {
    super(message, kind);
    this.statusCode = status;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterSeconds(headers);
    this.#headers = headers;
  }

  /** The headers of the response, which logs and `toJSON` leave out. */
  get headers(): Headers {
    return this.#headers;
  }
}

/** A success response that does not come from a Hub server. The post may have been created. */
export class HubUnexpectedResponseError extends HubResponseError {
  static {
    HubUnexpectedResponseError.prototype.name = 'HubUnexpectedResponseError';
  }
}

/** The server responded with a redirect. The client does not follow it, so that the key is not sent elsewhere. */
export class HubRedirectError extends HubResponseError {
  static {
    HubRedirectError.prototype.name = 'HubRedirectError';
  }

  /** The redirect URL without username, password, query or fragment; undefined if it is missing or invalid. */
  readonly location: string | undefined;

  constructor(message: string, response: { status: number; headers: Headers }, location: string | undefined) {
    super(message, 'redirected', response);
    this.location = location;
  }
}
