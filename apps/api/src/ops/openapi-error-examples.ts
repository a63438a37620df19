import type { ErrorName } from './openapi-errors.ts';
import type { Example } from './openapi-examples.ts';

function rejected(statusCode: number, path: string, message: string, summary = 'Example'): Example {
  return { summary, value: { statusCode, message, timestamp: '2026-03-01T09:30:00.000Z', path } };
}

const TODOS = '/api/public/v1/todos';
const MESSAGES = '/api/public/v1/messages';
const SERVER_ERROR =
  'Something went wrong in the server. The X-Request-Id of this answer leads its admin to the cause.';
const DISK_ERROR = 'The server cannot use its disk at the moment. Nothing was stored; try again later.';

const TOO_SLOW =
  'The body takes too long: after 16 seconds it has not come. Nothing was stored; send it again, over a better line or in parts.';

/** By the name of the answer among the components of the document. */
export const errorExamples: Readonly<Record<ErrorName, Record<string, Example>>> = {
  KeyRefused: {
    missing: rejected(
      401,
      MESSAGES,
      'An API key is missing. Send it as "Authorization: Bearer hub_live_…".',
      'No key was sent',
    ),
    invalid: rejected(
      401,
      MESSAGES,
      'This API key is not valid: it is unknown, has expired or was revoked. Ask for a new one.',
      'The key is unknown, has expired or was revoked',
    ),
  },
  KeyForbidden: {
    blocked: rejected(
      403,
      MESSAGES,
      'This key sent more than 60 requests within 60 seconds and is blocked for 300 seconds more. Waiting is enough; sending meanwhile does not make it longer.',
      'The key is blocked (with Retry-After)',
    ),
    scope: rejected(
      403,
      TODOS,
      'This key may not do that: it lacks the scope todos:create ("Create todo").',
      'The key lacks the scope (without Retry-After)',
    ),
  },
  KeyWithoutHub: {
    deleted: rejected(
      404,
      MESSAGES,
      'The Hub of this key was deleted. An admin can restore it; or use a key of another Hub.',
    ),
  },
  PostOnly: { get: rejected(405, MESSAGES, `${MESSAGES} takes POST only.`) },
  PostTooLarge: {
    large: rejected(
      413,
      MESSAGES,
      'The body has 1048577 bytes; at most 1048576 (1 MiB) are accepted. Shorten it, or send it in parts.',
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
    field: rejected(400, TODOS, 'dueDte is not a field of a to-do; did you mean dueDate?', 'A mistyped field'),
    limit: rejected(400, TODOS, 'title has 256 characters; at most 255 are accepted', 'Over a limit'),
    block: rejected(400, MESSAGES, 'blocks[0].data.level must be 1 to 6', 'A faulty block'),
  },
  PostFailed: { problem: rejected(500, MESSAGES, SERVER_ERROR) },
  PostUnavailable: { disk: rejected(503, MESSAGES, DISK_ERROR) },

  Invalid: { limit: rejected(400, '/api/v1/hubs', 'limit must be a whole number from 1 to 100') },
  NotSignedIn: {
    nobody: rejected(
      401,
      '/api/v1/hubs',
      'Sign in first, or send "Authorization: Bearer hub_pat_…" with a personal access token.',
      'Neither a session nor a token was sent',
    ),
    password: rejected(
      401,
      '/api/v1/session',
      'The e-mail address or the password is wrong. Check both, and try again.',
      'A wrong password',
    ),
  },
  NotAllowed: {
    role: rejected(
      403,
      '/api/v1/audit',
      'Only admins of the workspace may do this. Ask one of them.',
      'It needs the rights of an admin',
    ),
    origin: rejected(
      403,
      '/api/v1/me',
      'The Origin header is missing: with a cookie, a request must come from https://hub.example.org. Programs use a personal access token instead.',
      'A cookie came without the Origin of this server',
    ),
  },
  NotFound: { hub: rejected(404, '/api/v1/hubs/hub_0', 'There is no Hub hub_0.') },
  WrongMethod: { put: rejected(405, '/api/v1/hubs', '/api/v1/hubs takes GET, HEAD, POST only.') },
  Conflict: {
    rotated: rejected(
      409,
      '/api/v1/keys/key_01KJMBQDE0EEZDVQTAEDNWQ638/rotation',
      'key_01KJMBQDE0EEZDVQTAEDNWQ638 has a successor already. Rotate or replace that one: key_01KJMBS3Q8P0XK5R2W7D9ZTA4C. To end key_01KJMBQDE0EEZDVQTAEDNWQ638 now, revoke it.',
    ),
  },
  TooLarge: {
    large: rejected(
      413,
      '/api/v1/hubs',
      'The body has 1048577 bytes; at most 1048576 (1 MiB) are accepted. Shorten it, or send it in parts.',
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
      'The picture has 262145 bytes; at most 262144 (256 KiB) are accepted. Scale it down, or save it as a smaller file.',
    ),
  },
  NotPicture: {
    other: rejected(
      415,
      '/api/v1/me/picture',
      'The Content-Type is image/png, but the bytes are those of a JPEG. Send it as "Content-Type: image/jpeg".',
    ),
  },
  NoWebSocket: {
    plain: rejected(426, '/api/v1/live', 'This is a WebSocket. Open it as one: see docs/live.md.'),
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
      'Too many wrong passwords were tried from here within an hour. Try again in 60 minutes.',
      'Too many wrong passwords',
    ),
  },
  Failed: { problem: rejected(500, '/api/v1/hubs', SERVER_ERROR) },
  Unavailable: { disk: rejected(503, '/api/v1/hubs', DISK_ERROR) },
};
