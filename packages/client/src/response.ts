/** The remaining requests of the key, from the `RateLimit` fields of the response. */
export interface RateLimit {
  /** The number of requests allowed in the window. */
  limit: number;
  /** The length of the window in seconds. */
  windowSeconds: number;
  /** The number of requests left in the window. */
  remaining: number;
  /** The seconds until the server accepts more requests. */
  resetSeconds: number;
}

/** The metadata of a request. */
export interface HubRequest {
  /** The path of the request. */
  path: string;
  /** Starts at 1. It is higher when the request is repeated after a block or a refused connection. */
  attempt: number;
}

/** A wait before a request. */
export interface HubWait extends HubRequest {
  /** Whether too many requests were sent within 60 seconds (see `pacing`), or the key is blocked (`waitWhenBlocked`). */
  reason: 'pacing' | 'block';
  /** For how long at most, if nothing else happens; undefined if it depends on responses that are still awaited. */
  waitMs: number | undefined;
}

/** The metadata of a response. */
export interface HubResponse extends HubRequest {
  /** The time from sending the request to the end of the response. */
  durationMs: number;
  /** The HTTP status. */
  statusCode: number;
  /** `X-Request-Id`, to quote to the admin of the server. */
  requestId: string | undefined;
  /** Undefined if the response has no `RateLimit` fields, for example for an invalid key. */
  rateLimit: RateLimit | undefined;
}
