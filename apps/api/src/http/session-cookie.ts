import { parseCookies } from './parse-cookies.ts';

/** As long as browsers keep a cookie at most (RFC 6265bis, section 5.5). When a session ends, the server decides. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/**
 * The name says by itself what holds for the cookie: `__Host-` is only accepted with `Secure`, without a domain and for
 * all paths (RFC 6265bis, section 4.1.3), so no neighbour on a sister domain can put one in its place.
 */
function cookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-hub_session' : 'hub_session';
}

const attributes = (origin: string): string =>
  `Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** The value of `Set-Cookie` that keeps a session in the browser. `origin` is as the browser sees the server. */
export function sessionCookie(origin: string, token: string): string {
  return `${cookieName(origin)}=${token}; Max-Age=${MAX_AGE_SECONDS}; ${attributes(origin)}`;
}

export function endedSessionCookie(origin: string): string {
  return `${cookieName(origin)}=; Max-Age=0; ${attributes(origin)}`;
}

/** The token in the cookie of a request, or `null`. */
export function sessionToken(headers: Headers, origin: string): string | null {
  return parseCookies(headers.get('cookie')).get(cookieName(origin)) ?? null;
}
