import type { ErrorName } from './openapi-errors.ts';
import type { Example } from './openapi-examples.ts';

function rejected(statusCode: number, path: string, message: string, summary = 'Example'): Example {
  return { summary, value: { statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path } };
}

const TODOS = '/api/public/v1/todos';
const MESSAGES = '/api/public/v1/messages';
const SERVER_ERROR =
  'Internal server error. Give your admin the X-Request-Id of this response so that they can find the cause.';
const DISK_ERROR = 'The server cannot use its disk at the moment. Nothing was stored; try again later.';

const TOO_SLOW =
  'The request body is too slow: after 16 seconds nothing has arrived. Nothing was stored. Try again over a faster connection, or send less at a time.';

/** Examples by the name of the error response in the components of the document. */
export const errorExamples: Readonly<Record<ErrorName, Record<string, Example>>> = {
  KeyRefused: {
    missing: rejected(
      401,
      MESSAGES,
      'Missing API key. Send it as "Authorization: Bearer hub_live_…".',
      'No key was sent',
    ),
    invalid: rejected(
      401,
      MESSAGES,
      'This API key is not valid: it is unknown, expired or revoked. Ask an admin for a new one.',
      'The key is unknown, expired or revoked',
    ),
  },
  KeyForbidden: {
    blocked: rejected(
      403,
      MESSAGES,
      'This key sent more than 60 requests within 60 seconds and is blocked for another 300 seconds. Wait until then; requests during the block do not extend it.',
      'The key is blocked (with Retry-After)',
    ),
    scope: rejected(
      403,
      TODOS,
      'This key lacks the scope todos:create ("Create todo"). Use a key that has it.',
      'The key lacks the scope (without Retry-After)',
    ),
  },
  KeyWithoutHub: {
    deleted: rejected(
      404,
      MESSAGES,
      'The Hub of this key was deleted. Ask an admin to restore it, or use a key for another Hub.',
    ),
  },
  PostOnly: { get: rejected(405, MESSAGES, `${MESSAGES} only accepts POST.`) },
  PostTooLarge: {
    large: rejected(
      413,
      MESSAGES,
      'The body has 1048577 bytes; at most 1048576 (1 MiB) are accepted. Shorten it, or split it up.',
    ),
  },
  PostTooSlow: { slow: rejected(408, MESSAGES, TOO_SLOW) },
  PostNotJson: {
    form: rejected(
      415,
      MESSAGES,
      'The Content-Type application/x-www-form-urlencoded is not JSON in UTF-8. Add the header "Content-Type: application/json".',
    ),
  },
  PostInvalid: {
    field: rejected(400, TODOS, 'dueDte is not a field of a to-do; did you mean dueDate?', 'Misspelled field'),
    limit: rejected(400, TODOS, 'title has 256 characters; at most 255 are accepted', 'Over a limit'),
    block: rejected(400, MESSAGES, 'blocks[0].data.level must be 1 to 6', 'An invalid block'),
  },
  PostFailed: { problem: rejected(500, MESSAGES, SERVER_ERROR) },
  PostUnavailable: { disk: rejected(503, MESSAGES, DISK_ERROR) },

  Invalid: { limit: rejected(400, '/api/v1/hubs', 'limit must be a whole number from 1 to 100') },
  NotSignedIn: {
    nobody: rejected(
      401,
      '/api/v1/hubs',
      'Sign in, or send a personal access token as "Authorization: Bearer hub_pat_…".',
      'Neither a session nor a token was sent',
    ),
    password: rejected(
      401,
      '/api/v1/session',
      'Incorrect e-mail address or password. Check both and try again.',
      'Wrong password',
    ),
  },
  NotAllowed: {
    role: rejected(403, '/api/v1/audit', 'Only workspace admins can do this. Ask an admin.', 'Requires an admin'),
    origin: rejected(
      403,
      '/api/v1/me',
      'The Origin header is missing: requests with a session cookie must come from https://hub.example.org. In a program, use a personal access token instead.',
      'A session cookie without the Origin of this server',
    ),
  },
  NotFound: { hub: rejected(404, '/api/v1/hubs/hub_0', 'There is no Hub hub_0.') },
  WrongMethod: { put: rejected(405, '/api/v1/hubs', '/api/v1/hubs only accepts GET, HEAD, POST.') },
  Conflict: {
    rotated: rejected(
      409,
      '/api/v1/keys/key_01KJMBQDE0EEZDVQTAEDNWQ638/rotation',
      'key_01KJMBQDE0EEZDVQTAEDNWQ638 already has a successor. Rotate or replace the successor instead: key_01KJMBS3Q8P0XK5R2W7D9ZTA4C. To stop key_01KJMBQDE0EEZDVQTAEDNWQ638 now, revoke it.',
    ),
  },
  TooLarge: {
    large: rejected(
      413,
      '/api/v1/hubs',
      'The body has 1048577 bytes; at most 1048576 (1 MiB) are accepted. Shorten it, or split it up.',
    ),
  },
  TooSlow: { slow: rejected(408, '/api/v1/hubs', TOO_SLOW) },
  NotJson: {
    missing: rejected(
      415,
      '/api/v1/hubs',
      'The Content-Type is missing. Add the header "Content-Type: application/json".',
    ),
  },
  PictureTooLarge: {
    large: rejected(
      413,
      '/api/v1/me/picture',
      'The image has 262145 bytes; at most 262144 (256 KiB) are accepted. Use a smaller image.',
    ),
  },
  NotPicture: {
    other: rejected(
      415,
      '/api/v1/me/picture',
      'The Content-Type is image/png, but the file is a JPEG. Send it as "Content-Type: image/jpeg".',
    ),
  },
  NoWebSocket: {
    plain: rejected(426, '/api/v1/live', 'This endpoint requires a WebSocket connection. See docs/live.md.'),
  },
  TooManyRequests: {
    rate: rejected(429, '/api/v1/hubs', 'You have sent 1,200 requests within a minute. Try again in 12 s.'),
    tests: rejected(
      429,
      '/api/v1/me/notices/test',
      'You can send at most 5 test notifications a minute. Try again in 55 s.',
    ),
    password: rejected(
      429,
      '/api/v1/session',
      'Too many failed password attempts in the last hour. Try again in 60 minutes.',
      'Too many failed password attempts',
    ),
  },
  Failed: { problem: rejected(500, '/api/v1/hubs', SERVER_ERROR) },
  Unavailable: { disk: rejected(503, '/api/v1/hubs', DISK_ERROR) },
};
