import { type ErrorBody, LIMITS, RATE_LIMIT } from '@hub/contract';
import { BODY_BYTES_PER_SECOND, BODY_MS, BODY_STALL_MS } from '../body-watch.ts';

/** The name of an error response in the components of the OpenAPI document. */
type ErrorName = keyof typeof errors;

const mib = `${LIMITS.bodyBytes.toLocaleString('en')} bytes (1 MiB)`;
const openBody = `${LIMITS.openBodyBytes.toLocaleString('en')} bytes (16 KiB)`;
const tooSlow =
  `The body takes longer than ${BODY_MS / 1_000} seconds plus one second for every ` +
  `${BODY_BYTES_PER_SECOND.toLocaleString('en')} bytes, or stalls for ${BODY_STALL_MS / 1_000} seconds. Nothing was stored, and the connection is closed.`;
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const requestId = { 'X-Request-Id': header('RequestId') };
/** Headers of every response to a request with a known key, errors included. */
export const postHeaders = {
  ...requestId,
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
};
export const workspaceHeaders = requestId;
/** Headers of a response that starts or ends a session. */
export const cookieHeaders = { ...workspaceHeaders, 'Set-Cookie': header('SetCookie') };

const error = (description: string, headers: object) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** Errors for a post, in the order in which they are checked. */
export const postErrors = {
  401: 'KeyRefused',
  403: 'KeyForbidden',
  404: 'KeyWithoutHub',
  405: 'PostOnly',
  408: 'PostTooSlow',
  413: 'PostTooLarge',
  415: 'PostNotJson',
  400: 'PostInvalid',
  500: 'PostFailed',
  503: 'PostUnavailable',
} as const satisfies Record<number, ErrorName>;

/** Errors of the workspace API. Each operation can return some of them. */
export const workspaceErrors = {
  400: 'Invalid',
  401: 'NotSignedIn',
  403: 'NotAllowed',
  404: 'NotFound',
  405: 'WrongMethod',
  408: 'TooSlow',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'NotJson',
  416: 'NoSuchRange',
  426: 'NoWebSocket',
  429: 'TooManyRequests',
  500: 'Failed',
  503: 'Unavailable',
} as const satisfies Record<number, ErrorName>;

/** Errors of the workspace API for requests whose body is an image. */
export const avatarErrors = { ...workspaceErrors, 413: 'AvatarTooLarge', 415: 'NotAnImage' } as const satisfies Record<
  number,
  ErrorName
>;

/** Errors of both APIs for requests whose body is a file. */
export const fileErrors = { 413: 'FileTooLarge', 415: 'FileCompressed' } as const satisfies Record<number, ErrorName>;

/** Returns references to the error responses in one of the two tables above. */
export function errorsBy<Status extends number>(
  names: Readonly<Record<Status, ErrorName>>,
  statuses: readonly Status[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${names[status]}` }]));
}

const retryLater = {
  description: 'Whole seconds to wait before the next attempt. Not sent if waiting alone does not help.',
  schema: { type: 'integer', minimum: 1, examples: [5] },
};

/** All error responses, for the components of the document. */
export const errors = {
  KeyRefused: error(
    'The key is missing, malformed, unknown, expired or revoked. Send it in the `Authorization` header.',
    { ...requestId, 'WWW-Authenticate': header('WwwAuthenticate') },
  ),
  KeyForbidden: error(
    `With \`Retry-After\`: the key sent more than ${RATE_LIMIT.requests} requests within ${RATE_LIMIT.windowSeconds} ` +
      `seconds and is blocked for ${RATE_LIMIT.blockSeconds} seconds. Without it: the key lacks the scope, and waiting does not help.`,
    { ...postHeaders, 'Retry-After': header('RetryAfter') },
  ),
  KeyWithoutHub: error("The key's Hub was deleted. An admin can restore it.", postHeaders),
  PostOnly: error('The path does not support this method.', { ...postHeaders, Allow: header('Allow') }),
  PostTooLarge: error(`The body has more than ${mib}.`, postHeaders),
  PostTooSlow: error(tooSlow, postHeaders),
  PostNotJson: error('The `Content-Type` is missing or not JSON, or the body is compressed.', postHeaders),
  PostInvalid: error(
    'Malformed JSON, or an invalid body. The message names the field and says what to change.',
    postHeaders,
  ),
  PostFailed: error('Internal server error. The item may or may not have been created.', requestId),
  PostUnavailable: error(
    'The server cannot write at the moment. If the message says that it may have been stored, check first.',
    {
      ...requestId,
      'Retry-After': retryLater,
    },
  ),

  Invalid: error('A parameter or the body is invalid. The message names it and says what to change.', workspaceHeaders),
  NotSignedIn: error(
    'Not signed in: no session and no valid personal access token were sent, or the password is wrong.',
    {
      ...workspaceHeaders,
      'WWW-Authenticate': {
        description: 'How to authenticate. Not sent after a wrong password.',
        schema: { type: 'string', const: 'Bearer' },
      },
    },
  ),
  NotAllowed: error(
    'The caller is not allowed to do this, or the request has a session cookie but not the `Origin` of this server. The message says what to do.',
    {
      ...workspaceHeaders,
      'Hub-Confirmation': {
        description:
          'Confirm the password (`POST /session/confirmation`), or sign in with the provider again, then repeat the request.',
        schema: { type: 'string', enum: ['password', 'provider'] },
      },
    },
  ),
  NotFound: error('Nothing has this id, or the caller has no access to it: both look the same.', workspaceHeaders),
  WrongMethod: error('The path does not support this method.', { ...workspaceHeaders, Allow: header('Allow') }),
  Conflict: error(
    'The current state does not allow the change. The message says what to do instead; repeating the request does not help.',
    workspaceHeaders,
  ),
  TooLarge: error(
    `The body has more than ${mib}; or, for operations without authentication, more than ${openBody}.`,
    workspaceHeaders,
  ),
  TooSlow: error(tooSlow, workspaceHeaders),
  NotJson: error('The `Content-Type` is missing or not JSON, or the body is compressed.', workspaceHeaders),
  AvatarTooLarge: error(
    `The image has more than ${LIMITS.avatarBytes.toLocaleString('en')} bytes (256 KiB).`,
    workspaceHeaders,
  ),
  NotAnImage: error(
    'The body is not a PNG, JPEG or WebP image, or does not match its `Content-Type`.',
    workspaceHeaders,
  ),
  FileTooLarge: error(
    `The file has more than ${LIMITS.fileBytes.toLocaleString('en')} bytes, or as many as the server is configured for; or the files of the workspace have reached their limit.`,
    requestId,
  ),
  FileCompressed: error('The body is compressed (`Content-Encoding`).', requestId),
  NoSuchRange: error('The range is not within the file.', {
    ...workspaceHeaders,
    'Content-Range': { description: 'The size of the file.', schema: { type: 'string', examples: ['bytes */48213'] } },
  }),
  NoWebSocket: error('The request does not ask for a WebSocket.', { ...workspaceHeaders, Upgrade: header('Upgrade') }),
  TooManyRequests: error('Too many requests. Nothing was changed; try again after `Retry-After` seconds.', {
    ...workspaceHeaders,
    'Retry-After': {
      description: 'Whole seconds until the next request is accepted.',
      required: true,
      schema: { type: 'integer', minimum: 1, examples: [55] },
    },
  }),
  Failed: error('Internal server error. The change may or may not have been made.', workspaceHeaders),
  Unavailable: error(
    'The server cannot write at the moment. If the message says that it may have been stored, check first.',
    {
      ...workspaceHeaders,
      'Retry-After': retryLater,
    },
  ),
};

function rejected(statusCode: number, path: string, ...messages: string[]): ErrorBody[] {
  return messages.map((message) => ({ statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path }));
}

const TODOS = '/api/public/v1/todos';
const HUBS = '/api/v1/hubs';
const AVATAR = '/api/v1/me/avatar';
const KEY = 'key_01KJMBS8106Z5QS12QGDH7FEWP';
const SUCCESSOR = 'key_01KJMCHN902YNWNZB192JY79AV';
const SERVER_ERROR =
  'Internal server error. Give your admin the X-Request-Id of this response so that they can find the cause.';
const DATABASE_ERROR = 'The server cannot use its database at the moment. Nothing was stored; try again later.';
const UNCONFIRMED =
  'The database did not confirm in time that this was stored. It may have been stored: check before you send it again.';
const TOO_LARGE = 'The body has 1048577 bytes; at most 1048576 (1 MiB) are accepted. Shorten it, or split it up.';
const TOO_SLOW =
  'The request body is too slow: after 16 seconds nothing has arrived. Nothing was stored. Try again over a faster connection, or send less at a time.';

/** Examples by the name of the error response in the components of the document. */
export const errorExamples: Readonly<Record<ErrorName, readonly ErrorBody[]>> = {
  KeyRefused: rejected(
    401,
    TODOS,
    'Missing API key. Send it as "Authorization: Bearer hub_live_…".',
    'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
  ),
  KeyForbidden: rejected(
    403,
    TODOS,
    'This key sent more than 60 requests within 60 seconds and is blocked for another 300 seconds. Wait until then; requests during the block do not extend it.',
    'This key lacks the scope todos:create ("Create todo"). Use a key that has it.',
  ),
  KeyWithoutHub: rejected(
    404,
    TODOS,
    'The Hub of this key was deleted. Ask an admin to restore it, or use a key for another Hub.',
  ),
  PostOnly: rejected(405, TODOS, `${TODOS} only accepts POST.`),
  PostTooLarge: rejected(413, TODOS, TOO_LARGE),
  PostTooSlow: rejected(408, TODOS, TOO_SLOW),
  PostNotJson: rejected(
    415,
    TODOS,
    'The Content-Type application/x-www-form-urlencoded is not JSON in UTF-8. Add the header "Content-Type: application/json".',
  ),
  PostInvalid: rejected(
    400,
    TODOS,
    'dueDte is not a field of a to-do; did you mean dueDate?',
    'title has 256 characters; at most 255 are accepted',
  ),
  PostFailed: rejected(500, TODOS, SERVER_ERROR),
  PostUnavailable: rejected(503, TODOS, DATABASE_ERROR, UNCONFIRMED),

  Invalid: rejected(400, HUBS, 'limit must be a whole number from 1 to 100'),
  NotSignedIn: rejected(401, HUBS, 'Sign in, or send a personal access token as "Authorization: Bearer hub_pat_…".'),
  NotAllowed: rejected(
    403,
    HUBS,
    'Only workspace admins can do this. Ask an admin.',
    'The Origin header is missing: requests with a session cookie must come from https://hub.example.org. In a program, use a personal access token instead.',
  ),
  NotFound: rejected(404, `${HUBS}/hub_0`, 'There is no Hub hub_0.'),
  WrongMethod: rejected(405, HUBS, `${HUBS} only accepts GET, HEAD, POST.`),
  Conflict: rejected(
    409,
    `/api/v1/keys/${KEY}/rotation`,
    `${KEY} already has a successor. Rotate or replace the successor instead: ${SUCCESSOR}. To stop ${KEY} now, revoke it.`,
  ),
  TooLarge: rejected(413, HUBS, TOO_LARGE),
  TooSlow: rejected(408, HUBS, TOO_SLOW),
  NotJson: rejected(415, HUBS, 'The Content-Type is missing. Add the header "Content-Type: application/json".'),
  AvatarTooLarge: rejected(
    413,
    AVATAR,
    'The image has 262145 bytes; at most 262144 (256 KiB) are accepted. Use a smaller image.',
  ),
  NotAnImage: rejected(
    415,
    AVATAR,
    'The Content-Type is image/png, but the file is a JPEG. Send it as "Content-Type: image/jpeg".',
  ),
  FileTooLarge: rejected(
    413,
    '/api/public/v1/files',
    'The file has 26214401 bytes; at most 26214400 (25 MiB) are accepted. Send a smaller file.',
  ),
  FileCompressed: rejected(
    415,
    '/api/public/v1/files',
    'The Content-Encoding gzip is not supported. Remove the header, and send the file as it is.',
  ),
  NoSuchRange: rejected(
    416,
    '/api/v1/files/file_01KJMBS8106Z5QS12QGDH7FEWP',
    'The range is not within the file, which has 48213 bytes.',
  ),
  NoWebSocket: rejected(426, '/api/v1/live', 'This endpoint requires a WebSocket connection. See docs/live.md.'),
  TooManyRequests: rejected(429, HUBS, 'You have sent 1,200 requests within a minute. Try again in 12 s.'),
  Failed: rejected(500, HUBS, SERVER_ERROR),
  Unavailable: rejected(503, HUBS, DATABASE_ERROR, UNCONFIRMED),
};
