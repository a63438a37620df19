import type { ErrorBody } from '@hub/contract';
import type { ErrorName } from './errors.ts';

/** Returns the bodies of an error with these messages. */
function rejected(statusCode: number, path: string, ...messages: string[]): ErrorBody[] {
  return messages.map((message) => ({ statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path }));
}

const TODOS = '/api/public/v1/todos';
const HUBS = '/api/v1/hubs';
const AVATAR = '/api/v1/me/picture';
const KEY = 'key_01KJMBS8106Z5QS12QGDH7FEWP';
const SUCCESSOR = 'key_01KJMCHN902YNWNZB192JY79AV';
const SERVER_ERROR =
  'Internal server error. Give your admin the X-Request-Id of this response so that they can find the cause.';
const DISK_ERROR = 'The server cannot use its disk at the moment. Nothing was stored; try again later.';
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
  PostUnavailable: rejected(503, TODOS, DISK_ERROR),

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
  PictureTooLarge: rejected(
    413,
    AVATAR,
    'The image has 262145 bytes; at most 262144 (256 KiB) are accepted. Use a smaller image.',
  ),
  NotPicture: rejected(
    415,
    AVATAR,
    'The Content-Type is image/png, but the file is a JPEG. Send it as "Content-Type: image/jpeg".',
  ),
  NoWebSocket: rejected(426, '/api/v1/live', 'This endpoint requires a WebSocket connection. See docs/live.md.'),
  TooManyRequests: rejected(429, HUBS, 'You have sent 1,200 requests within a minute. Try again in 12 s.'),
  Failed: rejected(500, HUBS, SERVER_ERROR),
  Unavailable: rejected(503, HUBS, DISK_ERROR),
};
