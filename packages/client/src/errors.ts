/**
 * Everything that this package throws by itself. An abort is not among it: that rejects with the reason that the caller
 * gave to its own `AbortController`.
 */
export class HubError extends Error {
  static {
    HubError.prototype.name = 'HubError';
  }

  /**
   * Whether the post may exist although the call failed. There is no idempotency key, so a program that sends again
   * after `true` may post twice; after `false` it cannot.
   */
  readonly mayHaveCreated: boolean;

  constructor(message: string, mayHaveCreated: boolean, options?: { cause?: unknown }) {
    super(message, options);
    this.mayHaveCreated = mayHaveCreated;
  }
}

/** The calling program is at fault, by its options or its input. Nothing was sent. */
export class HubUsageError extends HubError {
  static {
    HubUsageError.prototype.name = 'HubUsageError';
  }

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, false, options);
  }
}

/** No whole answer arrived: the server could not be reached, or the connection broke. `cause` is what `fetch` threw. */
export class HubConnectionError extends HubError {
  static {
    HubConnectionError.prototype.name = 'HubConnectionError';
  }

  /** The system's word for the failure, such as `ECONNREFUSED`, where the runtime tells it. */
  readonly code: string | undefined;

  /** Whether TLS failed before the request: over the certificate, or because the server does not speak TLS. */
  readonly handshakeFailed: boolean;

  constructor(
    message: string,
    details: { mayHaveCreated: boolean; handshakeFailed?: boolean; code?: string | undefined; cause?: unknown },
  ) {
    super(message, details.mayHaveCreated, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = details.code;
    this.handshakeFailed = details.handshakeFailed ?? false;
  }
}

/** No whole answer arrived within `timeoutMs` of sending. */
export class HubTimeoutError extends HubConnectionError {
  static {
    HubTimeoutError.prototype.name = 'HubTimeoutError';
  }

  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms; the post may have been created.`, { mayHaveCreated: true });
    this.timeoutMs = timeoutMs;
  }
}

/** The server answered with success, but not as a Hub does. The post may have been created. */
export class HubUnexpectedResponseError extends HubError {
  static {
    HubUnexpectedResponseError.prototype.name = 'HubUnexpectedResponseError';
  }

  readonly statusCode: number;
  readonly requestId: string | undefined;

  constructor(message: string, details: { statusCode: number; requestId: string | undefined }) {
    super(message, true);
    this.statusCode = details.statusCode;
    this.requestId = details.requestId;
  }
}

/** The server sent the client elsewhere. The key is never carried along, so the redirect was not followed. */
export class HubRedirectError extends HubError {
  static {
    HubRedirectError.prototype.name = 'HubRedirectError';
  }

  readonly statusCode: number;
  /** Where the server pointed, without user, password, query and fragment; undefined if it named no valid address. */
  readonly location: string | undefined;

  constructor(message: string, details: { statusCode: number; location: string | undefined }) {
    super(message, false);
    this.statusCode = details.statusCode;
    this.location = details.location;
  }
}
