import { usageError } from './errors.ts';
import type { Output } from './output.ts';

/** The API paths of a server, which are often copied together with its URL. */
const API_PATH = /\/api(?:\/public)?\/v1$/;

/**
 * Parses a server URL and removes the path of the API. `source` is where it came from: `--url` or `HUB_URL`. The
 * error messages do not include the value, since users may mistake a key for a URL.
 */
export function readServerUrl(text: string, source: string): string {
  const problem = (what: string) => usageError(`${source} ${what}.`, 'Use a URL such as https://hub.example.com');
  if (lacksScheme(text)) throw problem('must start with https:// or http://');
  if (!URL.canParse(text)) throw problem('is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw problem('must start with https:// or http://');
  if (url.username !== '' || url.password !== '') throw problem('must not contain a user name or password');
  if (url.search !== '' || url.hash !== '') throw problem('must not have a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '').replace(API_PATH, '');
}

/** Returns whether the text is only a host. In `localhost:3000`, the part before the colon is not a scheme. */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(`https://${text}`);
}

/** Warns about plain HTTP. `what` is the secret about to be sent, as the subject of a sentence: `The key`. */
export function warnOfPlainHttp(output: Output, url: string, what: string): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  output.warn(`${what} is sent to ${host} unencrypted, where others can read it. Use https://`);
}

/** Returns whether a host is loopback: by name (RFC 6761, section 6.3) or address. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
