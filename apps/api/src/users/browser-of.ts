import { contextOf } from '../http/request-context.ts';
import { sessionCookie, sessionToken } from '../http/session-cookie.ts';
import type { Browser } from './new-session.ts';

/** Returns what a new session records about the browser. */
export function browserOf(request: Request): Browser {
  const { address, origin } = contextOf(request);
  return {
    address,
    userAgent: request.headers.get('user-agent'),
    formerToken: sessionToken(request.headers, origin),
  };
}

/** Returns the `Set-Cookie` header that signs a user in. */
export function signInCookie(request: Request, token: string): string {
  return sessionCookie(contextOf(request).origin, token);
}
