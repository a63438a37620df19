import { RATE_LIMIT } from '@hub/contract';
import type { RequestContext } from './request-context.ts';

/**
 * Headers of every response, unless it sets its own (OWASP ASVS 5.0, V3.2.1, V3.4.3, V3.4.4, V3.4.6, V3.5.8): opened in
 * a browser, an API response runs, loads and submits nothing, and cannot be framed or embedded.
 */
export const RESPONSE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The `RateLimit-Policy` field of draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_POLICY = `"default";q=${RATE_LIMIT.requests};w=${RATE_LIMIT.windowSeconds}`;

export type HeaderFacts = Pick<RequestContext, 'requestId' | 'rateLimit'>;

/** Returns the headers of a response to this request, besides its own. */
export function responseHeaders({ requestId, rateLimit }: HeaderFacts): Record<string, string> {
  const headers = { ...RESPONSE_HEADERS, 'x-request-id': requestId };
  return rateLimit === undefined
    ? headers
    : { ...headers, 'ratelimit-policy': RATE_LIMIT_POLICY, ratelimit: rateLimit };
}

/** Headers of every page (V3.4.5, V3.4.8): it sends no referrer, and other windows have no handle on it. */
export const PAGE_HEADERS = { 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'no-referrer' } as const;

/** A year (RFC 6797, section 6.1). Without includeSubDomains, since this server cannot speak for other hosts. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** Exempt, since a developer's machine often runs other servers, without HTTPS, on other ports of `localhost`. */
const LOCALHOST = /^https:\/\/(?:[^/]+\.)?localhost(?::\d+)?$/;

/** Adds Strict-Transport-Security (V3.4.1) if the browser sees this origin over HTTPS. */
export function requireHttps(response: Response, origin: string): Response {
  if (origin.startsWith('https:') && !LOCALHOST.test(origin)) {
    response.headers.set('strict-transport-security', STRICT_TRANSPORT_SECURITY);
  }
  return response;
}

/** HTTPS origins, and those that browsers trust without HTTPS (Secure Contexts, section 3.1). */
const TRUSTWORTHY = /^https:|^http:\/\/(?:(?:[^/]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Removes Cross-Origin-Opener-Policy where browsers ignore it and log a warning each time. */
export function omitOpenerPolicy(response: Response, origin: string): Response {
  if (!TRUSTWORTHY.test(origin)) response.headers.delete('cross-origin-opener-policy');
  return response;
}

/** Returns the policy of a page that uses scripts and styles of this server, and what these directives add. */
export function pagePolicy(...directives: string[]): string {
  const own = ["default-src 'none'", "script-src 'self'", "style-src 'self'"];
  return [...own, ...directives, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ');
}
