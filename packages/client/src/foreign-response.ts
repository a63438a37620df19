/** Responses of proxies and other servers. Most programs never get one, so this is loaded on demand. */
import { HubRedirectError, HubUnexpectedResponseError } from './errors.ts';
import type { RawResponse } from './raw-response.ts';

/** Returns the beginning of a body from another server on one line, without tags or control characters. */
function excerpt(response: RawResponse): string {
  const text = response.body
    .slice(0, 8192)
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>|<[^>]*>/gi, ' ')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  const type = response.headers.get('content-type')?.replace(/[^\x21-\x7e ]/g, '') ?? 'no content type';
  if (text === '') return `an empty response (${type})`;
  const beginning = [...text].slice(0, 200).join('');
  return `"${beginning}${beginning.length < text.length ? '…' : ''}" (${type})`;
}

/** Returns the message for an error response that does not come from a Hub server. */
export function foreignMessage(response: RawResponse, url: string): string {
  const { origin, pathname } = new URL(url);
  const hint =
    response.status >= 500
      ? 'a proxy may have sent this response; the post may have been created'
      : 'check that baseUrl is a Hub server and that a proxy does not block the request';
  return `${origin}${pathname} returned ${response.status}, but not from a Hub server: ${excerpt(response)}; ${hint}`;
}

/** Returns the error for a success that does not come from a Hub server. */
export function unexpectedResponse(response: RawResponse): HubUnexpectedResponseError {
  const summary = `The server returned ${response.status}, but not like a Hub server: ${excerpt(response)}.`;
  return new HubUnexpectedResponseError(
    `${summary} The post may have been created. Check before you send it again.`,
    'uncertain',
    response,
  );
}

/** Returns the error for a redirect, which says which `baseUrl` to set. */
export function redirectError(response: RawResponse, url: string): HubRedirectError {
  const target = resolve(response.headers.get('location'), url);
  if (!target) {
    const message = `The server returned ${response.status} without a valid redirect URL.`;
    return new HubRedirectError(message, response, undefined);
  }
  const location = target.origin + target.pathname;
  const apiPath = /\/api\/public\/v1\/\w+$/;
  const advice = apiPath.test(location)
    ? `set baseUrl to ${location.replace(apiPath, '')}`
    : 'set baseUrl to the URL of the Hub server itself';
  const message = `The server redirects to ${location}. The client does not follow redirects, to protect the key: ${advice}.`;
  return new HubRedirectError(message, response, location);
}

function resolve(location: string | null, url: string): URL | undefined {
  try {
    const target = location === null ? undefined : new URL(location, url);
    return target && /^https?:$/.test(target.protocol) ? target : undefined;
  } catch {
    return undefined;
  }
}
