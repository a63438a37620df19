import { LIMITS, RATE_LIMIT } from '@hub/contract';
import { BODY_BYTES_PER_SECOND, BODY_MS, BODY_STALL_MS } from '../http/body-watch.ts';

/** The name of an error answer among the components of the OpenAPI document. */
export type ErrorName = keyof typeof errors;

const mib = `${LIMITS.bodyBytes.toLocaleString('en')} bytes (1 MiB)`;
const openBody = `${LIMITS.openBodyBytes.toLocaleString('en')} bytes (16 KiB)`;
const tooSlow =
  `The body takes longer than ${BODY_MS / 1_000} seconds and a second more for each ` +
  `${BODY_BYTES_PER_SECOND.toLocaleString('en')} bytes of it, or stalls for ${BODY_STALL_MS / 1_000} seconds. Nothing was stored, and the connection ends.`;
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const requestId = { 'X-Request-Id': header('RequestId') };
/** Every answer to a request whose key is known carries these, a refusal too. */
export const postHeaders = {
  ...requestId,
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
};
export const workspaceHeaders = requestId;
/** Of a backup, beyond those of every answer. */
export const backupHeaders = {
  'Hub-Backup-Id': { description: 'By which it can be confirmed.', schema: { type: 'string' } },
  'Hub-Backup-Bytes': { description: 'How long the file is.', schema: { type: 'integer' } },
  'Repr-Digest': {
    description: 'The SHA-256 of the file, in base64 (RFC 9530).',
    schema: { type: 'string' },
    example: 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:',
  },
};
/** Of an answer that begins or ends a session. */
export const cookieHeaders = { ...workspaceHeaders, 'Set-Cookie': header('SetCookie') };

const error = (description: string, headers: object) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** What a post can be refused with, in the order of judgement. */
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

/** What a request to the workspace API can be refused with; which of them depends on the operation. */
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
  426: 'NoWebSocket',
  429: 'TooManyRequests',
  500: 'Failed',
  503: 'Unavailable',
} as const satisfies Record<number, ErrorName>;

/** The same where the body is a picture. */
export const avatarErrors = {
  ...workspaceErrors,
  413: 'PictureTooLarge',
  415: 'NotPicture',
} as const satisfies Record<number, ErrorName>;

/** Points at the error answers of one of the two tables above. */
export function errorsBy<Status extends number>(
  names: Readonly<Record<Status, ErrorName>>,
  statuses: readonly Status[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${names[status]}` }]));
}

/** All error answers, for the components of the document. */
export const errors = {
  KeyRefused: error(
    'The key is missing, malformed, unknown, expired or revoked. It belongs into the `Authorization` header.',
    { ...requestId, 'WWW-Authenticate': header('WwwAuthenticate') },
  ),
  KeyForbidden: error(
    `With \`Retry-After\`: the key sent more than ${RATE_LIMIT.requests} requests within ${RATE_LIMIT.windowSeconds} ` +
      `seconds and is blocked for ${RATE_LIMIT.blockSeconds} seconds. Without: the key lacks the scope, and waiting does not help.`,
    { ...postHeaders, 'Retry-After': header('RetryAfter') },
  ),
  KeyWithoutHub: error("The key's Hub was deleted. An admin can restore it.", postHeaders),
  PostOnly: error('The answer to every other method on this path.', { ...postHeaders, Allow: header('Allow') }),
  PostTooLarge: error(`The body has more than ${mib}.`, postHeaders),
  PostTooSlow: error(tooSlow, postHeaders),
  PostNotJson: error('The `Content-Type` is missing or not JSON, or the body is compressed.', postHeaders),
  PostInvalid: error(
    'Malformed JSON, or an invalid body. The message names the field, and says what to change.',
    postHeaders,
  ),
  PostFailed: error('A fault in the server. Whether the item was created is not known.', requestId),
  PostUnavailable: error('The server cannot write at the moment. Nothing was created; try again later.', requestId),

  Invalid: error(
    'A parameter or the body is invalid. The message names it, and says what to change.',
    workspaceHeaders,
  ),
  NotSignedIn: error(
    'Nobody is signed in: there is no session and no valid personal access token, or the password is wrong.',
    {
      ...workspaceHeaders,
      'WWW-Authenticate': {
        description: 'How to authenticate. Not in the answer to a wrong password.',
        schema: { type: 'string', const: 'Bearer' },
      },
    },
  ),
  NotAllowed: error(
    'The caller may not do this; or the `Origin` is not that of this server, as a cookie needs it. The message says what would help.',
    {
      ...workspaceHeaders,
      'Hub-Confirmation': {
        description: 'Give the password once more (`POST /session/confirmation`), then repeat the request.',
        schema: { type: 'string', const: 'password' },
      },
    },
  ),
  NotFound: error(
    'There is nothing with this id, or nothing that the caller may know of: both look the same.',
    workspaceHeaders,
  ),
  WrongMethod: error('The answer to a method that this path does not take.', {
    ...workspaceHeaders,
    Allow: header('Allow'),
  }),
  Conflict: error(
    'What is there does not allow it. The message says what to do instead; repeating the request does not help.',
    workspaceHeaders,
  ),
  TooLarge: error(
    `The body has more than ${mib}; or, where no authentication is needed, more than ${openBody}.`,
    workspaceHeaders,
  ),
  TooSlow: error(tooSlow, workspaceHeaders),
  NotJson: error('The `Content-Type` is missing or not JSON, or the body is compressed.', workspaceHeaders),
  PictureTooLarge: error(
    `The picture has more than ${LIMITS.avatarBytes.toLocaleString('en')} bytes (256 KiB).`,
    workspaceHeaders,
  ),
  NotPicture: error('The body is no PNG, JPEG or WebP, or another one than its `Content-Type` says.', workspaceHeaders),
  NoWebSocket: error('The request asks for no WebSocket.', {
    ...workspaceHeaders,
    Upgrade: header('Upgrade'),
  }),
  TooManyRequests: error('The caller asks too often. Nothing was changed; try again after `Retry-After` seconds.', {
    ...workspaceHeaders,
    'Retry-After': {
      description: 'Whole seconds until the next request may pass.',
      required: true,
      schema: { type: 'integer', minimum: 1, examples: [55] },
    },
  }),
  Failed: error('A fault in the server. Whether the change was made is not known.', workspaceHeaders),
  Unavailable: error('The server cannot write at the moment. Nothing was changed; try again later.', workspaceHeaders),
};
