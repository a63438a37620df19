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
export interface HubAnswer {
  /** The path that was posted to. */
  path: string;
  /** The HTTP status. */
  statusCode: number;
  /** `X-Request-Id`: what to quote to whoever runs the server. */
  requestId: string | undefined;
  /** Undefined if the answer has no `RateLimit` fields, as when the key was not accepted. */
  rateLimit: RateLimit | undefined;
}

/** An answer as it was read off the wire, with at most `ANSWER_BYTES` of its body. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** `name=<digits>` among the parameters of a structured field, such as `"default";r=59;t=60`. */
function parameter(field: string | null, name: string): number | undefined {
  const digits = field?.match(new RegExp(`;\\s*${name}=(\\d{1,9})(?![\\d.])`))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Reads the fields `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers. */
function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = parameter(headers.get('ratelimit-policy'), 'q');
  const windowSeconds = parameter(headers.get('ratelimit-policy'), 'w');
  const remaining = parameter(headers.get('ratelimit'), 'r');
  const resetSeconds = parameter(headers.get('ratelimit'), 't');
  if (limit === undefined || windowSeconds === undefined) return undefined;
  if (remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, windowSeconds, remaining, resetSeconds };
}

export function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

export function describeAnswer(raw: RawAnswer, path: string): HubAnswer {
  return {
    path,
    statusCode: raw.status,
    requestId: requestIdOf(raw.headers),
    rateLimit: readRateLimit(raw.headers),
  };
}
