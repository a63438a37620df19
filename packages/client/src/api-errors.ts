import { type HubErrorKind, HubResponseError } from './errors.ts';

/** The details of an error response. */
export interface HubApiErrorDetails {
  status: number;
  headers: Headers;
  message: string;
  timestamp: string;
  path: string;
  /** Whether a Hub server says that it stored nothing, as on a full disk. */
  saysNothingStored?: boolean;
}

/**
 * The server rejected the post. `message` says what to change. If the response does not come from a Hub server (but
 * from a proxy, for example), `message` quotes the beginning of the response, `timestamp` is the time it arrived and
 * `path` is the requested path.
 */
export class HubApiError extends HubResponseError {
  static {
    HubApiError.prototype.name = 'HubApiError';
  }

  /** The time of the error, ISO 8601. */
  readonly timestamp: string;
  /** The path of the request. */
  readonly path: string;

  constructor(details: HubApiErrorDetails) {
    super(details.message, kindOf(details), details);
    this.timestamp = details.timestamp;
    this.path = details.path;
  }
}

function kindOf({ status, saysNothingStored = false }: HubApiErrorDetails): HubErrorKind {
  if (status === 429) return 'rate_limited';
  if (status < 500 && status !== 408) return 'rejected';
  return saysNothingStored ? 'unavailable' : 'uncertain';
}

/** 400: a field is missing, unknown, of the wrong type or over its limit. */
export class HubBadRequestError extends HubApiError {
  static {
    HubBadRequestError.prototype.name = 'HubBadRequestError';
  }

  declare readonly statusCode: 400;
  override readonly kind = 'invalid';
}

/** 401: the key is unknown, expired or revoked. */
export class HubAuthenticationError extends HubApiError {
  static {
    HubAuthenticationError.prototype.name = 'HubAuthenticationError';
  }

  declare readonly statusCode: 401;
  override readonly kind = 'unauthenticated';
}

/** 403 without `Retry-After`: the key lacks the scope for this kind of post. */
export class HubScopeError extends HubApiError {
  static {
    HubScopeError.prototype.name = 'HubScopeError';
  }

  declare readonly statusCode: 403;
  override readonly kind = 'missing_scope';
}

/** 403 with `Retry-After`: the key is blocked because it made more than 60 requests within 60 seconds. */
export class HubBlockedError extends HubApiError {
  static {
    HubBlockedError.prototype.name = 'HubBlockedError';
  }

  declare readonly statusCode: 403;
  override readonly kind = 'rate_limited';

  /** Whole seconds until the block ends. */
  declare readonly retryAfterSeconds: number;
}

/** 404: the key's Hub was deleted, or `baseUrl` does not lead to a Hub. */
export class HubNotFoundError extends HubApiError {
  static {
    HubNotFoundError.prototype.name = 'HubNotFoundError';
  }

  declare readonly statusCode: 404;
  override readonly kind = 'not_found';
}

/** 413: the body is too large. */
export class HubPayloadTooLargeError extends HubApiError {
  static {
    HubPayloadTooLargeError.prototype.name = 'HubPayloadTooLargeError';
  }

  declare readonly statusCode: 413;
  override readonly kind = 'too_large';
}

/** 415: the body did not arrive as JSON, for example because a proxy changed the header. */
export class HubUnsupportedMediaTypeError extends HubApiError {
  static {
    HubUnsupportedMediaTypeError.prototype.name = 'HubUnsupportedMediaTypeError';
  }

  declare readonly statusCode: 415;
  override readonly kind = 'unsupported_media_type';
}

/** 5xx: the server, or a proxy in front of it, failed. The post may have been created, unless it is `unavailable`. */
export class HubServerError extends HubApiError {
  static {
    HubServerError.prototype.name = 'HubServerError';
  }
}
