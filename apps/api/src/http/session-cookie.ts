/** The maximum age of cookies in browsers (RFC 6265bis, section 5.5). The server decides when a session ends. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Returns the cookie name. A sibling domain cannot set a `__Host-` cookie (RFC 6265bis, section 4.1.3). */
function cookieName(origin: string): string {
  return origin.startsWith('https:') ? '__Host-hub_session' : 'hub_session';
}

const attributes = (origin: string): string =>
  `Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

/** Returns the `Set-Cookie` value that stores a session. `origin` is the server's origin as the browser sees it. */
export function sessionCookie(origin: string, token: string): string {
  return `${cookieName(origin)}=${token}; Max-Age=${MAX_AGE_SECONDS}; ${attributes(origin)}`;
}

export function endedSessionCookie(origin: string): string {
  return `${cookieName(origin)}=; Max-Age=0; ${attributes(origin)}`;
}

/** Returns the token in the cookie of a request, or `null`. */
export function sessionToken(headers: Headers, origin: string): string | null {
  return parseCookies(headers.get('cookie')).get(cookieName(origin)) ?? null;
}

/** Parses the cookies of a request (RFC 6265, section 4.2). The first one of a name is the more specific one. */
function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const cut = pair.indexOf('=');
    if (cut < 1) continue;
    const name = pair.slice(0, cut).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(cut + 1).trim());
  }
  return cookies;
}
