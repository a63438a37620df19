import type { HubRequest, HubResponse, RateLimit } from './response.ts';

/** A raw response, with the part of its body that was read. */
export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** Returns the number in `name=<digits>` from the parameters of a structured field, such as `"default";r=59;t=60`. */
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

function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

export function describeResponse(raw: RawResponse, request: HubRequest, durationMs: number): HubResponse {
  return {
    ...request,
    durationMs,
    statusCode: raw.status,
    requestId: requestIdOf(raw.headers),
    rateLimit: readRateLimit(raw.headers),
  };
}
