import { HubUsageError } from './errors.ts';

export const API_PATH = '/api/public/v1';

const FORM = 'Give the address of the server, such as https://hub.example.com.';

/**
 * The address before `/api/public/v1`, without a slash at its end. It may have a path, for a server behind a proxy's
 * prefix, and may already end in the API's path. The messages never repeat the value: keys and addresses get swapped.
 */
export function parseBaseUrl(value: unknown): string {
  if (typeof value !== 'string' && !(value instanceof URL)) throw new HubUsageError(`baseUrl is missing. ${FORM}`);
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new HubUsageError(`baseUrl is not an absolute address. ${FORM}`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HubUsageError(`baseUrl must begin with https:// or http://. ${FORM}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HubUsageError(`baseUrl must not hold a user or a password: the key in apiKey is all it takes. ${FORM}`);
  }
  if (/[?#]/.test(url.href)) throw new HubUsageError(`baseUrl must not have a query or a fragment. ${FORM}`);
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(API_PATH) ? path.slice(0, -API_PATH.length) : path);
}
