import { AppError } from '../core/errors.ts';
import { printable } from '../core/printable.ts';
import { contextOf } from './request-context.ts';

/** A host with an optional port (RFC 9112, section 3.2), with stricter rules for the characters of a name. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::(\d{1,5}))?$/;

/** Whether a host is valid. False for an invalid address such as `256.1.1.1`, which cannot be part of a URL. */
export function isValidHost(host: string): boolean {
  if (host === lastValidHost) return true;
  const match = HOST.exec(host);
  if (match === null || Number(match[1] ?? 0) > 65_535 || !URL.canParse(`http://${host}`)) return false;
  lastValidHost = host;
  return true;
}

/** Nearly all requests name the same host, which need not be parsed each time. */
let lastValidHost = '';

/**
 * Returns the scheme and host that the client used. The caller passes the forwarded scheme only if it trusts the proxy;
 * if it is a list, the first entry is used, which the outermost proxy wrote. Some proxies name a WebSocket's own scheme.
 */
export function requestOrigin(scheme: 'http' | 'https', host: string, forwardedProto: string | null): string {
  const named = forwardedProto?.split(',')[0]?.trim().toLowerCase();
  const isSecure = named === 'https' || named === 'wss' || (scheme === 'https' && named !== 'http' && named !== 'ws');
  const seen = isSecure ? 'https' : 'http';
  return URL.parse(`${seen}://${host}`)?.origin ?? `${seen}://${host}`;
}

/**
 * Rejects requests that a page of another site made a browser send: with a cookie, the `Origin` (RFC 6454) must be the
 * server's own, from `HUB_BASE_URL` or else from the request itself.
 */
export function requireOwnOrigin(request: Request): void {
  const { origin: own, isOriginConfigured } = contextOf(request);
  const sent = request.headers.get('origin');
  if (sent === own) return;
  const found = sent === null ? 'The Origin header is missing' : `The Origin ${printable(sent)} is another site's`;
  const proxy =
    sent === null || isOriginConfigured ? '' : ' If that is this server behind a proxy, set HUB_BASE_URL to it.';
  throw new AppError(
    'forbidden',
    `${found}: requests with a session cookie must come from ${own}.${proxy} In a program, use a personal access token instead.`,
  );
}

/** Rejects a foreign Origin on routes that need no cookie. A missing one is accepted. */
export function rejectForeignOrigin(request: Request): void {
  if (request.headers.has('origin')) requireOwnOrigin(request);
}
