/** A browser without pages: it follows redirects and keeps the cookies of each site. */
export class RedirectBrowser {
  readonly cookies = new Map<string, Map<string, string>>();

  /** Follows redirects from an address, up to the first response that is none. Returns the addresses on the way. */
  async open(address: string, until: (url: URL) => boolean = () => false) {
    let url = new URL(address);
    const visited = [url];
    for (;;) {
      if (until(url)) return { url, visited, response: null };
      const response = await this.get(url);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) return { url, visited, response };
      url = new URL(location, url);
      visited.push(url);
    }
  }

  async get(url: URL): Promise<Response> {
    const jar = this.cookies.get(url.host) ?? new Map<string, string>();
    this.cookies.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie && { cookie }) };
    const response = await fetch(url, { redirect: 'manual', headers });
    for (const set of response.headers.getSetCookie().map((line) => Bun.Cookie.parse(line))) {
      if (set.isExpired()) jar.delete(set.name);
      else jar.set(set.name, set.value);
    }
    return response;
  }
}
