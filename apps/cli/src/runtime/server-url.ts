import { usageError } from './errors.ts';
import type { Output } from './output.ts';

/** The paths of a Hub, which are mostly copied together with its address. */
const API_PATH = /\/api(?:\/public)?\/v1$/;

/**
 * The address of a server, without what the paths of its API begin with. `source` is where the text came from: `--url`,
 * `HUB_URL`. The messages do not repeat the value: addresses and keys get swapped.
 */
export function readServerUrl(text: string, source: string): string {
  const problem = (what: string) => usageError(`${source} ${what}.`, 'Write the address as https://hub.example.com');
  if (lacksScheme(text)) throw problem('must begin with https:// or http://');
  if (!URL.canParse(text)) throw problem('is not one that a browser could open');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw problem('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw problem('must not hold a user or a password');
  if (url.search !== '' || url.hash !== '') throw problem('must not have a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '').replace(API_PATH, '');
}

/** A host alone, mostly with a port: what stands before the colon looks like a scheme, or is none. */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(`https://${text}`);
}

/** `what` is the secret that is about to be sent, as the subject of a sentence: `The key`. */
export function warnOfPlainHttp(output: Output, url: string, what: string): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  output.warn(`${what} travels to ${host} unencrypted, where others can read it. Use https://`);
}

/** RFC 6761, section 6.3, and the loopback addresses. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
