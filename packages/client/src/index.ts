export {
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
export {
  HubConnectionError,
  HubError,
  type HubErrorKind,
  HubRedirectError,
  HubTimeoutError,
  HubUnexpectedResponseError,
  HubUsageError,
} from './errors.ts';
export { HubClient, type ItemResource } from './hub-client.ts';
export type {
  Block,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
  Priority,
} from './items.ts';
export type { HubClientOptions, HubFetch, PostOptions } from './options.ts';
export type { HubRequest, HubResponse, RateLimit } from './response.ts';
export { withRunMarker } from './run-marker.ts';
