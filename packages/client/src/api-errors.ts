import { HubError } from './errors.ts';

/** What every refusal of a Hub says. */
export interface HubApiErrorDetails {
  statusCode: number;
  message: string;
  timestamp: string;
  path: string;
  requestId: string | undefined;
}

/**
 * The server refused the post. `message` says what to change. If the answer was no Hub's (a proxy's page, say), the
 * message quotes its beginning, `timestamp` is the time at which it was read and `path` is the one that was asked for.
 */
export class HubApiError extends HubError {
  static {
    HubApiError.prototype.name = 'HubApiError';
  }

  /** The HTTP status. */
  readonly statusCode: number;
  /** When the server refused, ISO 8601. */
  readonly timestamp: string;
  /** The path of the request. */
  readonly path: string;
  /** `X-Request-Id` of the answer: what to quote to whoever runs the server. */
  readonly requestId: string | undefined;

  constructor(details: HubApiErrorDetails) {
    super(details.message, details.statusCode >= 500 || details.statusCode === 408);
    this.statusCode = details.statusCode;
    this.timestamp = details.timestamp;
    this.path = details.path;
    this.requestId = details.requestId;
  }
}

/** 400: a field is missing, unknown, of the wrong type or over its limit. */
export class HubBadRequestError extends HubApiError {
  static {
    HubBadRequestError.prototype.name = 'HubBadRequestError';
  }

  declare readonly statusCode: 400;
}

/** 401: the key is unknown, expired or revoked. */
export class HubAuthenticationError extends HubApiError {
  static {
    HubAuthenticationError.prototype.name = 'HubAuthenticationError';
  }

  declare readonly statusCode: 401;
}

/** 403 without `Retry-After`: the key lacks the scope for this kind of post. */
export class HubScopeError extends HubApiError {
  static {
    HubScopeError.prototype.name = 'HubScopeError';
  }

  declare readonly statusCode: 403;
}

/** 403 with `Retry-After`: more than 60 requests within 60 seconds have blocked the key. */
export class HubBlockedError extends HubApiError {
  static {
    HubBlockedError.prototype.name = 'HubBlockedError';
  }

  declare readonly statusCode: 403;

  /** Whole seconds until the block ends. */
  readonly retryAfterSeconds: number;

  constructor(details: HubApiErrorDetails & { retryAfterSeconds: number }) {
    super(details);
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** 404: the key's Hub was deleted, or `baseUrl` does not lead to a Hub. */
export class HubNotFoundError extends HubApiError {
  static {
    HubNotFoundError.prototype.name = 'HubNotFoundError';
  }

  declare readonly statusCode: 404;
}

/** 413: the body is too large. */
export class HubPayloadTooLargeError extends HubApiError {
  static {
    HubPayloadTooLargeError.prototype.name = 'HubPayloadTooLargeError';
  }

  declare readonly statusCode: 413;
}

/** 415: the body did not arrive as JSON, as when a proxy rewrites the header. */
export class HubUnsupportedMediaTypeError extends HubApiError {
  static {
    HubUnsupportedMediaTypeError.prototype.name = 'HubUnsupportedMediaTypeError';
  }

  declare readonly statusCode: 415;
}

/** 5xx: the server, or a proxy before it, failed. The post may have been created. */
export class HubServerError extends HubApiError {
  static {
    HubServerError.prototype.name = 'HubServerError';
  }
}
