import type { Browser } from '../users/new-session.ts';
import { connectionOf } from './connection.ts';
import { sessionCookie, sessionToken } from './session-cookie.ts';

/** Returns what a new session records about the browser. */
export function browserOf(request: Request): Browser {
  const { address, origin } = connectionOf(request);
  return {
    address,
    userAgent: request.headers.get('user-agent'),
    formerToken: sessionToken(request.headers, origin),
  };
}

/** Returns the `Set-Cookie` header that signs a user in. */
export function signInCookie(request: Request, token: string): string {
  return sessionCookie(connectionOf(request).origin, token);
}
