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
