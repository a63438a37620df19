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
  HubResponseError,
  HubTimeoutError,
  HubUnexpectedResponseError,
  HubUsageError,
} from './errors.ts';
export { type FileResource, HubClient, type ItemResource } from './hub-client.ts';
export type {
  Block,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
  Priority,
  UploadedFile,
} from './items.ts';
export type { HubClientOptions, HubFetch, PostOptions, UploadOptions } from './options.ts';
export type { HubRequest, HubResponse, HubWait, RateLimit } from './response.ts';
export { withRunMarker } from './run-marker.ts';
