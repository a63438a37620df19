import { retryAfterSeconds } from '@hub/contract/retry-after';
import {
  HubApiError,
  type HubApiErrorDetails,
  HubAuthenticationError,
  HubBadRequestError,
  HubBlockedError,
  HubNotFoundError,
  HubPayloadTooLargeError,
  HubScopeError,
  HubServerError,
  HubUnsupportedMediaTypeError,
} from './api-errors.ts';
import { type HubError, HubRedirectError, HubUnexpectedResponseError } from './errors.ts';
import { errorBodyOf, type JsonObject, parseObject } from './json-body.ts';
import { type RawResponse, requestIdOf } from './raw-response.ts';

/** Returns the `data` of a 201, and throws an error for every other response. */
export function readResponse<T>(response: RawResponse, url: string, containerField: string): T {
  const parsed = parseObject(response.body);
  if (response.status >= 400) throw apiError(response, parsed, url);
  if (response.status >= 300) throw redirectError(response, url);
  const data = parsed?.data as Record<string, unknown> | null | undefined;
  const isCreated =
    response.status === 201 &&
    parsed?.success === true &&
    typeof data === 'object' &&
    ['id', containerField, 'createdAt'].every((field) => typeof data?.[field] === 'string');
  if (isCreated) return data as T;
  throw unexpectedResponse(response);
}

function apiError(response: RawResponse, parsed: JsonObject | undefined, url: string): HubError {
  const statusCode = response.status;
  const wait = retryAfterSeconds(response.headers);
  const common = { statusCode, requestId: requestIdOf(response.headers), retryAfterSeconds: wait };
  const error = errorBodyOf(statusCode, parsed);
  if (!error) {
    const foreignDetails = {
      ...common,
      message: foreignMessage(response, url),
      timestamp: new Date().toISOString(),
      path: new URL(url).pathname,
    };
    // A 403 from another server has nothing to do with scopes or blocks.
    return statusCode === 403 ? new HubApiError(foreignDetails) : new (classOf(statusCode))(foreignDetails);
  }
  // `apps/api/test/error-body.test.ts` checks the words of the server.
  const saysNothingStored = error.message.includes('Nothing was stored');
  const details = { ...common, ...error, saysNothingStored };
  if (statusCode === 403 && wait !== undefined) return new HubBlockedError({ ...details, retryAfterSeconds: wait });
  return new (classOf(statusCode))(details);
}

function classOf(statusCode: number): new (details: HubApiErrorDetails) => HubApiError {
  if (statusCode >= 500) return HubServerError;
  switch (statusCode) {
    case 400:
      return HubBadRequestError;
    case 401:
      return HubAuthenticationError;
    case 403:
      return HubScopeError;
    case 404:
      return HubNotFoundError;
    case 413:
      return HubPayloadTooLargeError;
    case 415:
      return HubUnsupportedMediaTypeError;
    default:
      return HubApiError;
  }
}

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

function foreignMessage(response: RawResponse, url: string): string {
  const { origin, pathname } = new URL(url);
  const hint =
    response.status >= 500
      ? 'a proxy may have sent this response; the post may have been created'
      : 'check that baseUrl is a Hub server and that a proxy does not block the request';
  return `${origin}${pathname} returned ${response.status}, but not from a Hub server: ${excerpt(response)}; ${hint}`;
}

function unexpectedResponse(response: RawResponse): HubUnexpectedResponseError {
  const details = { statusCode: response.status, requestId: requestIdOf(response.headers) };
  const summary = `The server returned ${response.status}, but not like a Hub server: ${excerpt(response)}.`;
  return new HubUnexpectedResponseError(
    `${summary} The post may have been created. Check before you send it again.`,
    details,
  );
}

function redirectError(response: RawResponse, url: string): HubRedirectError {
  const statusCode = response.status;
  const target = resolve(response.headers.get('location'), url);
  if (!target) {
    return new HubRedirectError(`The server returned ${statusCode} without a valid redirect URL.`, {
      statusCode,
      location: undefined,
    });
  }
  const location = target.origin + target.pathname;
  const apiPath = /\/api\/public\/v1\/\w+$/;
  const advice = apiPath.test(location)
    ? `set baseUrl to ${location.replace(apiPath, '')}`
    : 'set baseUrl to the URL of the Hub server itself';
  const message = `The server redirects to ${location}. The client does not follow redirects, to protect the key: ${advice}.`;
  return new HubRedirectError(message, { statusCode, location });
}

function resolve(location: string | null, url: string): URL | undefined {
  try {
    const target = location === null ? undefined : new URL(location, url);
    return target && /^https?:$/.test(target.protocol) ? target : undefined;
  } catch {
    return undefined;
  }
}
