const MAX = 4_096;

/**
 * Returns the URL of a link as the browser will parse it: absolute, with the scheme http, https or mailto. Returns null
 * for everything else, including URLs with credentials: `https://bank.example@evil.example` leads to `evil.example`.
 */
export function safeUrl(written: string): string | null {
  if (written.length > MAX) return null;
  const url = read(written);
  if (url === null) return null;
  if (url.protocol === 'mailto:') return url.pathname === '' ? null : url.href;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** Returns the URL of an image, or null unless it is https, as the page's CSP demands. */
export function imageUrl(written: string): string | null {
  if (written.length > MAX) return null;
  const url = read(written);
  return url?.protocol === 'https:' ? url.href : null;
}

/**
 * Parses only URLs that begin with a scheme: a browser would resolve `//host` and `path` against this server. A host
 * with full stops of other scripts, which a browser reads as dots, would not be the host that is shown.
 */
function read(written: string): URL | null {
  const url = /^\s*[a-z][a-z0-9+.-]*:(?![/\\]*[^/\\?#]*[。．｡])/i.test(written) ? URL.parse(written) : null;
  return url?.username === '' && url.password === '' ? url : null;
}

/** File extensions that are also top-level domains: a file name is not a URL. */
const FILE_ENDINGS = new Set(['md', 'rs', 'py', 'sh', 'pl', 'cc', 'ps', 'zip', 'app', 'so']);

/** Returns the host that a link leads to if its text looks like the URL of another host, else null. */
export function otherHost(href: string, text: string): string | null {
  const visibleText = text.replaceAll(/\p{Cf}/gu, '').trim();
  const [, scheme = '', host = ''] =
    /^(https?:\/\/|\/\/|(?=www\.))?((?:[^\s/?#.:@]+\.)+\p{L}{2,})(?:[/?#:]\S*)?$/iu.exec(visibleText) ?? [];
  if (host === '' || (scheme === '' && FILE_ENDINGS.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase())))
    return null;
  const [target, claimed] = [URL.parse(href), URL.parse(`https://${host}`)];
  if (!target || !claimed || !/^https?:$/.test(target.protocol)) return null;
  const bare = (name: string) => name.replace(/^www\./, '');
  return bare(target.hostname) === bare(claimed.hostname) ? null : target.host;
}
