/**
 * On every answer, unless it says otherwise itself (OWASP ASVS 5.0, V3.2.1, V3.4.3, V3.4.4, V3.4.6, V3.5.8). What the API says is
 * data: opened in a browser by itself it runs, loads and submits nothing, stands in no frame, and no other site's page
 * can take it in. Pages and what they load have policies of their own.
 */
export const RESPONSE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * On every page beside its policy (V3.4.5, V3.4.8): it tells nobody where one came from, and no other window holds it, where
 * `omitUnheeded` leaves that.
 */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;

/** A year (RFC 6797, section 6.1). Not for other hosts beneath this one, of which this server knows nothing. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** The machine of whoever tries it out has other servers, on other ports of the same name, that speak plain HTTP. */
const LOCALHOST = /^https:\/\/(?:[^/]+\.)?localhost(?::\d+)?$/;

/** Tells browsers to come to this origin over HTTPS alone (V3.4.1), if that is how they see it. */
export function requireHttps(response: Response, origin: string): Response {
  if (origin.startsWith('https:') && !LOCALHOST.test(origin)) {
    response.headers.set('strict-transport-security', STRICT_TRANSPORT_SECURITY);
  }
  return response;
}

/** The origins that browsers trust without HTTPS (Secure Contexts, section 3.1), too. */
const TRUSTWORTHY = /^https:|^http:\/\/(?:(?:[^/]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Elsewhere browsers ignore who may hold a page, and complain on the console each time that it is said. */
export function omitUnheeded(response: Response, origin: string): Response {
  if (!TRUSTWORTHY.test(origin)) response.headers.delete('cross-origin-opener-policy');
  return response;
}
