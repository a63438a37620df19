import type { Browser } from '../users/new-session.ts';
import { connectionOf } from './connection.ts';
import { sessionCookie, sessionToken } from './session-cookie.ts';

/** What a session notes of the request that begins it. */
export function browserOf(request: Request): Browser {
  const { address, origin } = connectionOf(request);
  return {
    address,
    userAgent: request.headers.get('user-agent'),
    formerToken: sessionToken(request.headers, origin),
  };
}

/** The `Set-Cookie` of an answer that signs somebody in. */
export function signInCookie(request: Request, token: string): string {
  return sessionCookie(connectionOf(request).origin, token);
}
