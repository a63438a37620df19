import { AppError, printable } from '../platform/errors.ts';
import { contextOf } from './request-context.ts';

/** Rejects requests of another site's page: with a cookie, the `Origin` (RFC 6454) must be this server's own. */
export function requireOwnOrigin(request: Request): void {
  const { origin: own, isOriginConfigured } = contextOf(request);
  const origin = request.headers.get('origin');
  if (origin === own) return;
  const problem =
    origin === null ? 'The Origin header is missing' : `The Origin ${printable(origin)} is another site's`;
  const proxy =
    origin === null || isOriginConfigured ? '' : ' If that is this server behind a proxy, set HUB_BASE_URL to it.';
  throw new AppError(
    'forbidden',
    `${problem}: requests with a session cookie must come from ${own}.${proxy} In a program, use a personal access token instead.`,
  );
}

/** Rejects a foreign Origin on routes that need no cookie. A missing one is accepted. */
export function rejectForeignOrigin(request: Request): void {
  if (request.headers.has('origin')) requireOwnOrigin(request);
}
