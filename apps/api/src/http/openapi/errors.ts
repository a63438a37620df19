import { type ErrorBody, LIMITS, RATE_LIMIT } from '@hub/contract';
import { BODY_BYTES_PER_SECOND, BODY_MS, BODY_STALL_MS } from '../body-watch.ts';

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

const retryLater = {
  description: 'Whole seconds to wait before the next attempt. Not sent if waiting alone does not help.',
  schema: { type: 'integer', minimum: 1, examples: [5] },
};

/** An error response of the document. */
interface ErrorOfDocument {
  statusCode: number;
  description: string;
  headers: object;
  examples: ErrorBody[];
}

/** Returns what describes an error response, with examples of its message. These headers and this path are the usual ones. */
const errorsAt =
  (usualPath: string, usualHeaders: object) =>
  (
    statusCode: number,
    description: string,
    messages: readonly string[],
    { headers = usualHeaders, path = usualPath }: { headers?: object; path?: string } = {},
  ): ErrorOfDocument => {
    const timestamp = '2026-03-01T09:30:00.000Z';
    const examples = messages.map((message) => ({ statusCode, message, timestamp, path }));
    return { statusCode, description, headers, examples };
  };
const onPost = errorsAt(TODOS, postHeaders);
const onRequest = errorsAt(HUBS, workspaceHeaders);
const onAvatar = errorsAt(AVATAR, workspaceHeaders);
const onFile = errorsAt('/api/public/v1/files', requestId);

const unavailable = (on: typeof onPost) =>
  on(
    503,
    'The server cannot write at the moment. If the message says that it may have been stored, check first.',
    [DATABASE_ERROR, UNCONFIRMED],
    { headers: { ...requestId, 'Retry-After': retryLater } },
  );

/** Errors for a post, in the order in which they are checked. */
const ofPosts = {
  KeyRefused: onPost(
    401,
    'The key is missing, malformed, unknown, expired or revoked. Send it in the `Authorization` header.',
    [
      'Missing API key. Send it as "Authorization: Bearer hub_live_…".',
      'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
    ],
    { headers: { ...requestId, 'WWW-Authenticate': header('WwwAuthenticate') } },
  ),
  KeyForbidden: onPost(
    403,
    `With \`Retry-After\`: the key sent more than ${RATE_LIMIT.requests} requests within ${RATE_LIMIT.windowSeconds} ` +
      `seconds and is blocked for ${RATE_LIMIT.blockSeconds} seconds. Without it: the key lacks the scope, and waiting does not help.`,
    [
      'This key sent more than 60 requests within 60 seconds and is blocked for another 300 seconds. Wait until then; requests during the block do not extend it.',
      'This key lacks the scope todos:create ("Create todo"). Use a key that has it.',
    ],
    { headers: { ...postHeaders, 'Retry-After': header('RetryAfter') } },
  ),
  KeyWithoutHub: onPost(404, "The key's Hub was deleted. An admin can restore it.", [
    'The Hub of this key was deleted. Ask an admin to restore it, or use a key for another Hub.',
  ]),
  PostOnly: onPost(405, 'The path does not support this method.', [`${TODOS} only accepts POST.`], {
    headers: { ...postHeaders, Allow: header('Allow') },
  }),
  PostTooSlow: onPost(408, tooSlow, [TOO_SLOW]),
  PostTooLarge: onPost(413, `The body has more than ${mib}.`, [TOO_LARGE]),
  PostNotJson: onPost(415, 'The `Content-Type` is missing or not JSON, or the body is compressed.', [
    'The Content-Type application/x-www-form-urlencoded is not JSON in UTF-8. Add the header "Content-Type: application/json".',
  ]),
  PostInvalid: onPost(400, 'Malformed JSON, or an invalid body. The message names the field and says what to change.', [
    'dueDte is not a field of a to-do; did you mean dueDate?',
    'title has 256 characters; at most 255 are accepted',
  ]),
  PostFailed: onPost(500, 'Internal server error. The item may or may not have been created.', [SERVER_ERROR], {
    headers: requestId,
  }),
  PostUnavailable: unavailable(onPost),
};

/** Errors of the workspace API. Each operation can return some of them. */
const ofWorkspace = {
  Invalid: onRequest(400, 'A parameter or the body is invalid. The message names it and says what to change.', [
    'limit must be a whole number from 1 to 100',
  ]),
  NotSignedIn: onRequest(
    401,
    'Not signed in: no session and no valid personal access token were sent, or the password is wrong.',
    ['Sign in, or send a personal access token as "Authorization: Bearer hub_pat_…".'],
    {
      headers: {
        ...workspaceHeaders,
        'WWW-Authenticate': {
          description: 'How to authenticate. Not sent after a wrong password.',
          schema: { type: 'string', const: 'Bearer' },
        },
      },
    },
  ),
  NotAllowed: onRequest(
    403,
    'The caller is not allowed to do this, or the request has a session cookie but not the `Origin` of this server. The message says what to do.',
    [
      'Only workspace admins can do this. Ask an admin.',
      'The Origin header is missing: requests with a session cookie must come from https://hub.example.org. In a program, use a personal access token instead.',
    ],
    {
      headers: {
        ...workspaceHeaders,
        'Hub-Confirmation': {
          description:
            'Confirm the password (`POST /session/confirmation`), or sign in with the provider again, then repeat the request.',
          schema: { type: 'string', enum: ['password', 'provider'] },
        },
      },
    },
  ),
  NotFound: onRequest(
    404,
    'Nothing has this id, or the caller has no access to it: both look the same.',
    ['There is no Hub hub_0.'],
    { path: `${HUBS}/hub_0` },
  ),
  WrongMethod: onRequest(405, 'The path does not support this method.', [`${HUBS} only accepts GET, HEAD, POST.`], {
    headers: { ...workspaceHeaders, Allow: header('Allow') },
  }),
  TooSlow: onRequest(408, tooSlow, [TOO_SLOW]),
  Conflict: onRequest(
    409,
    'The current state does not allow the change. The message says what to do instead; repeating the request does not help.',
    [
      `${KEY} already has a successor. Rotate or replace the successor instead: ${SUCCESSOR}. To stop ${KEY} now, revoke it.`,
    ],
    { path: `/api/v1/keys/${KEY}/rotation` },
  ),
  TooLarge: onRequest(
    413,
    `The body has more than ${mib}; or, for operations without authentication, more than ${openBody}.`,
    [TOO_LARGE],
  ),
  NotJson: onRequest(415, 'The `Content-Type` is missing or not JSON, or the body is compressed.', [
    'The Content-Type is missing. Add the header "Content-Type: application/json".',
  ]),
  NoSuchRange: onRequest(
    416,
    'The range is not within the file.',
    ['The range is not within the file, which has 48213 bytes.'],
    {
      headers: {
        ...workspaceHeaders,
        'Content-Range': {
          description: 'The size of the file.',
          schema: { type: 'string', examples: ['bytes */48213'] },
        },
      },
      path: '/api/v1/files/file_01KJMBS8106Z5QS12QGDH7FEWP',
    },
  ),
  NoWebSocket: onRequest(
    426,
    'The request does not ask for a WebSocket.',
    ['This endpoint requires a WebSocket connection. See docs/live.md.'],
    { headers: { ...workspaceHeaders, Upgrade: header('Upgrade') }, path: '/api/v1/live' },
  ),
  TooManyRequests: onRequest(
    429,
    'Too many requests. Nothing was changed; try again after `Retry-After` seconds.',
    ['You have sent 1,200 requests within a minute. Try again in 12 s.'],
    {
      headers: {
        ...workspaceHeaders,
        'Retry-After': {
          description: 'Whole seconds until the next request is accepted.',
          required: true,
          schema: { type: 'integer', minimum: 1, examples: [55] },
        },
      },
    },
  ),
  Failed: onRequest(500, 'Internal server error. The change may or may not have been made.', [SERVER_ERROR]),
  Unavailable: unavailable(onRequest),
};

/** Errors of the workspace API for requests whose body is an image. */
const ofAvatars = {
  AvatarTooLarge: onAvatar(413, `The image has more than ${LIMITS.avatarBytes.toLocaleString('en')} bytes (256 KiB).`, [
    'The image has 262145 bytes; at most 262144 (256 KiB) are accepted. Use a smaller image.',
  ]),
  NotAnImage: onAvatar(415, 'The body is not a PNG, JPEG or WebP image, or does not match its `Content-Type`.', [
    'The Content-Type is image/png, but the file is a JPEG. Send it as "Content-Type: image/jpeg".',
  ]),
};

/** Errors of both APIs for requests whose body is a file. */
const ofFiles = {
  FileTooLarge: onFile(
    413,
    `The file has more than ${LIMITS.fileBytes.toLocaleString('en')} bytes, or as many as the server is configured for; or the files of the workspace have reached their limit.`,
    ['The file has 26214401 bytes; at most 26214400 (25 MiB) are accepted. Send a smaller file.'],
  ),
  FileCompressed: onFile(415, 'The body is compressed (`Content-Encoding`).', [
    'The Content-Encoding gzip is not supported. Remove the header, and send the file as it is.',
  ]),
};

/** All error responses, by their names in the components of the document. */
const all: Readonly<Record<string, ErrorOfDocument>> = { ...ofPosts, ...ofWorkspace, ...ofAvatars, ...ofFiles };

export const errors = Object.fromEntries(
  Object.entries(all).map(([name, { description, headers }]) => [
    name,
    { description, headers, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
);

export const errorExamples = Object.fromEntries(Object.entries(all).map(([name, { examples }]) => [name, examples]));

/** The names of error responses by their statuses. */
type ErrorNames = Readonly<Record<number, string>>;

const byStatus = (described: Readonly<Record<string, ErrorOfDocument>>): ErrorNames =>
  Object.fromEntries(Object.entries(described).map(([name, { statusCode }]) => [statusCode, name]));

export const postErrors = byStatus(ofPosts);
export const workspaceErrors = byStatus(ofWorkspace);
export const avatarErrors = { ...workspaceErrors, ...byStatus(ofAvatars) };
export const fileErrors = byStatus(ofFiles);

/** Returns references to error responses; by default, to all of them. */
export function errorsBy(
  names: ErrorNames,
  statuses = Object.keys(names).map(Number),
): Record<string, { $ref: string }> {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${names[status]}` }]));
}
