import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { connectionOf } from './connection.ts';

/**
 * Refuses what a page of another site made a browser send: with a cookie, the `Origin` (RFC 6454) must be the server's
 * own, as `HUB_BASE_URL` or, without one, the request itself names it.
 */
export function requireOwnOrigin(request: Request): void {
  const own = connectionOf(request).origin;
  const sent = request.headers.get('origin');
  if (sent === own) return;
  const found = sent === null ? 'The Origin header is missing' : `The Origin ${printable(sent)} is another site`;
  throw new AppError(
    'forbidden',
    `${found}: with a cookie, a request must come from ${own}. Programs use a personal access token instead.`,
  );
}

/** For what needs no cookie yet: who sends an Origin must send the right one. */
export function rejectForeignOrigin(request: Request): void {
  if (request.headers.has('origin')) requireOwnOrigin(request);
}
