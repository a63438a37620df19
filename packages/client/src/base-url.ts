import { PUBLIC_API_PATH } from '@hub/contract/paths';
import { HubUsageError } from './errors.ts';

const API_PATH = new RegExp(`${PUBLIC_API_PATH}(?:/\\w+)?$`);
const ADVICE = 'Use the URL of the server, such as https://hub.example.com.';

/**
 * Returns the URL before `/api/public/v1`, without a trailing slash. The value may have a path, for a server behind a
 * path prefix, and may already end in the path of the API or of one of its operations. Error messages never include the value, because it may be a
 * key that was passed by mistake.
 */
export function parseBaseUrl(value: unknown): string {
  if (typeof value !== 'string' && !(value instanceof URL))
    throw new HubUsageError(`baseUrl is missing. Pass it, or set HUB_URL. ${ADVICE}`);
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new HubUsageError(`baseUrl is not an absolute URL. ${ADVICE}`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HubUsageError(`baseUrl must start with https:// or http://. ${ADVICE}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new HubUsageError(
      `baseUrl must not contain a user name or password. The client needs only apiKey. ${ADVICE}`,
    );
  }
  if (/[?#]/.test(url.href)) throw new HubUsageError(`baseUrl must not have a query or a fragment. ${ADVICE}`);
  return url.origin + url.pathname.replace(/\/+$/, '').replace(API_PATH, '');
}
