const MAX = 4_096;

/**
 * An address that a link may lead to, as the browser will read it: absolute, http, https or mailto. Otherwise `null`, as for one
 * with a name before its host: `https://bank.example@evil.example` leads to the other of the two that one reads.
 */
export function safeAddress(written: string): string | null {
  if (written.length > MAX) return null;
  const url = read(written);
  if (url === null) return null;
  if (url.protocol === 'mailto:') return url.pathname === '' ? null : url.href;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** An address that a picture may be loaded from: https only, which is also all that the policy of the page allows. */
export function imageUrl(written: string): string | null {
  if (written.length > MAX) return null;
  const url = read(written);
  return url?.protocol === 'https:' ? url.href : null;
}

/** Only what begins with its scheme: a browser would read `//host` and `path` as addresses of this server. */
function read(written: string): URL | null {
  const url = /^\s*[a-z][a-z0-9+.-]*:/i.test(written) ? URL.parse(written) : null;
  return url?.username === '' && url.password === '' ? url : null;
}

/** Endings of files that are top-level domains, too: the name of a file is no address. */
const FILE_ENDINGS = new Set(['md', 'rs', 'py', 'sh', 'pl', 'cc', 'ps', 'zip', 'app', 'so']);

/** The host that a link leads to, if its text is the address of another host. Else `null`. */
export function otherHost(href: string, text: string): string | null {
  const shown = text.replaceAll(/\p{Cf}/gu, '').trim();
  const [, scheme = '', host = ''] =
    /^(https?:\/\/|\/\/|(?=www\.))?((?:[^\s/?#.:@]+\.)+\p{L}{2,})(?:[/?#:]\S*)?$/iu.exec(shown) ?? [];
  if (host === '' || (scheme === '' && FILE_ENDINGS.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase())))
    return null;
  const [there, said] = [URL.parse(href), URL.parse(`https://${host}`)];
  if (!there || !said || !/^https?:$/.test(there.protocol)) return null;
  const bare = (name: string) => name.replace(/^www\./, '');
  return bare(there.hostname) === bare(said.hostname) ? null : there.host;
}
