/**
 * Parses the cookies of a request (RFC 6265, section 4.2). If two have the same name, the first one is used, since it
 * is more specific.
 */
export function parseCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const cut = pair.indexOf('=');
    if (cut < 1) continue;
    const name = pair.slice(0, cut).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(cut + 1).trim());
  }
  return cookies;
}
