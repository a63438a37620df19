/** How much of the key's limit is left, as the answer's `RateLimit` fields say. */
export interface RateLimit {
  /** Requests that the window takes. */
  limit: number;
  /** The window's length. */
  windowSeconds: number;
  /** Requests that are left in it. */
  remaining: number;
  /** Seconds until the server takes more. */
  resetSeconds: number;
}

/** What came back beside the item itself. */
export interface HubResponse {
  /** The path that was posted to. */
  path: string;
  /** The HTTP status. */
  statusCode: number;
  /** `X-Request-Id`: what to quote to whoever runs the server. */
  requestId: string | undefined;
  /** Undefined if the answer has no `RateLimit` fields, as when the key was not accepted. */
  rateLimit: RateLimit | undefined;
}
