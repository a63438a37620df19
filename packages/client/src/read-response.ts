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
import type { HubError } from './errors.ts';
import { errorBodyOf, type JsonObject, parseObject } from './json-body.ts';
import type { RawResponse } from './raw-response.ts';

/** Returns the `data` of a 201, and throws an error for every other response. */
export async function readResponse<T>(response: RawResponse, url: string, expectedField: string): Promise<T> {
  const parsed = parseObject(response.body);
  if (response.status >= 400) throw await apiError(response, parsed, url);
  const data = parsed?.data as Record<string, unknown> | null | undefined;
  const isCreated =
    response.status === 201 &&
    parsed?.success === true &&
    typeof data === 'object' &&
    ['id', expectedField, 'createdAt'].every((field) => typeof data?.[field] === 'string');
  if (isCreated) return data as T;
  const { redirectError, unexpectedResponse } = await import('./foreign-response.ts');
  throw response.status >= 300 ? redirectError(response, url) : unexpectedResponse(response);
}

async function apiError(response: RawResponse, parsed: JsonObject | undefined, url: string): Promise<HubError> {
  const { status, headers } = response;
  const error = errorBodyOf(status, parsed);
  if (!error) {
    const { foreignMessage } = await import('./foreign-response.ts');
    const foreignDetails = {
      status,
      headers,
      message: foreignMessage(response, url),
      timestamp: new Date().toISOString(),
      path: new URL(url).pathname,
    };
    // A 403 from another server has nothing to do with scopes or blocks.
    return status === 403 ? new HubApiError(foreignDetails) : new (classOf(status))(foreignDetails);
  }
  // `apps/api/test/error-body.test.ts` checks the words of the server.
  const saysNothingStored = error.message.includes('Nothing was stored');
  const details = { ...error, status, headers, saysNothingStored };
  const isBlocked = status === 403 && retryAfterSeconds(headers) !== undefined;
  return new (isBlocked ? HubBlockedError : classOf(status))(details);
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
