import { json, type Parts } from './requests.ts';

/** The credential of a user. */
export type UserSecret = 'token' | 'session' | 'invitation' | 'reset' | 'password';

/** The owner of the secret. */
export interface Owner {
  readonly email: string;
}

/** A user's request with a secret, and the status that shows the intended outcome. */
export interface UserCase {
  readonly name: string;
  readonly secret: UserSecret;
  readonly status: number;
  readonly parts: (secret: string, owner: Owner) => Parts;
  /** Text that the API returns only to the sender of this request, since it repeats the path or field that was sent. */
  readonly isEcho?: true;
}

/** The host name in the requests. */
export const ORIGIN = 'http://localhost';
const GET = { method: 'GET', body: '' } as const;
const ME = { ...GET, path: '/api/v1/me' } as const;
const SIGN_IN = { path: '/api/v1/session' } as const;
const REDEEM = { path: '/api/v1/links/redemption' } as const;
const INSPECT = { path: '/api/v1/links/inspection' } as const;

export const cookie = (value: string): Record<string, string> => ({ Cookie: `hub_session=${value}` });
const bearer = (token: string): Pick<Parts, 'authorization'> => ({ authorization: `Bearer ${token}` });
const mistyped = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
const elsewhere = (secret: string): Record<string, string> => ({
  'X-Request-Id': secret,
  'User-Agent': secret,
  Referer: `http://localhost/?secret=${secret}`,
  'X-Forwarded-Proto': secret,
});
const upgrade = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const;

function cases(
  secret: UserSecret,
  table: readonly [name: string, status: number, parts: UserCase['parts'], echo?: 'echo'][],
): UserCase[] {
  return table.map(([name, status, parts, echo]) => ({
    name: `${secret}: ${name}`,
    secret,
    status,
    parts,
    ...(echo ? { isEcho: true } : {}),
  }));
}

const TOKENS = cases('token', [
  ['used', 200, (token) => ({ ...ME, ...bearer(token) })],
  ['used for a list', 200, (token) => ({ ...GET, path: '/api/v1/hubs', ...bearer(token) })],
  ['in many headers', 200, (token) => ({ ...ME, ...bearer(token), headers: elsewhere(token) })],
  ['in the query as well', 200, (token) => ({ ...ME, path: `/api/v1/me?access_token=${token}`, ...bearer(token) })],
  ['in the query alone', 401, (token) => ({ ...ME, path: `/api/v1/me?access_token=${token}` })],
  ['in the query of a live view', 401, (token) => ({ ...GET, path: `/api/v1/live?token=${token}`, headers: upgrade })],
  ['in the path', 401, (token) => ({ ...GET, path: `/api/v1/${token}` }), 'echo'],
  ['as an id', 404, (token) => ({ ...GET, path: `/api/v1/items/${token}`, ...bearer(token) }), 'echo'],
  ['as the cookie', 401, (token) => ({ ...ME, headers: cookie(token) })],
  ['in an unknown field', 400, (token) => ({ ...SIGN_IN, ...json({ token }) })],
  ['as the password', 401, (token, { email }) => ({ ...SIGN_IN, ...json({ email, password: token }) })],
  ['without a scheme', 401, (token) => ({ ...ME, authorization: token })],
  ['with another scheme', 401, (token) => ({ ...ME, authorization: `Token ${token}` })],
  ['in basic authentication', 401, (token) => ({ ...ME, authorization: `Basic ${btoa(`:${token}`)}` })],
  ['with something behind it', 401, (token) => ({ ...ME, authorization: `Bearer ${token}, realm="hub"` })],
  ['twice', 401, (token) => ({ ...ME, ...bearer(token + token) })],
  ['cut short', 401, (token) => ({ ...ME, ...bearer(token.slice(0, -1)) })],
  ['mistyped', 401, (token) => ({ ...ME, ...bearer(mistyped(token)) })],
  ['on the public API', 401, (token) => bearer(token)],
  ['on the metrics', 404, (token) => ({ ...GET, path: '/metrics', ...bearer(token) })],
  [
    'for what needs the password',
    403,
    (token) => ({ path: '/api/v1/me/tokens', ...bearer(token), ...json({ name: 'x' }) }),
  ],
  ['for what admins do', 403, (token) => ({ ...GET, path: '/api/v1/audit', ...bearer(token) })],
  ['with another method', 405, (token) => ({ path: '/api/v1/me', ...bearer(token) })],
  [
    'with a form',
    415,
    (token) => ({ ...ME, method: 'PATCH', ...bearer(token), contentType: 'text/plain', body: token }),
  ],
  ['with a line break before it', 400, (token) => ({ ...ME, authorization: `Bearer\r\n ${token}` })],
]);

const SESSIONS = cases('session', [
  ['used', 200, (session) => ({ ...ME, headers: cookie(session) })],
  ['among others', 200, (session) => ({ ...ME, headers: { Cookie: `a=b; hub_session=${session}; c` } })],
  ['in many headers', 200, (session) => ({ ...ME, headers: { ...cookie(session), ...elsewhere(session) } })],
  ['under the name for HTTPS', 401, (session) => ({ ...ME, headers: { Cookie: `__Host-hub_session=${session}` } })],
  [
    'without an origin',
    403,
    (session) => ({ ...ME, method: 'PATCH', headers: cookie(session), ...json({ name: 'x' }) }),
  ],
  [
    'of a page of another site',
    403,
    (session) => ({ ...ME, method: 'PATCH', headers: { ...cookie(session), Origin: 'http://evil.test' } }),
  ],
  [
    'for a live view without an origin',
    403,
    (session) => ({ ...GET, path: '/api/v1/live', headers: { ...cookie(session), ...upgrade } }),
  ],
  ['as a bearer', 401, (session) => ({ ...ME, ...bearer(session) })],
  ['in the query', 401, (session) => ({ ...ME, path: `/api/v1/me?hub_session=${session}` })],
  ['in the path', 401, (session) => ({ ...GET, path: `/api/v1/me/sessions/${session}` }), 'echo'],
  ['in the body', 400, (session) => ({ ...SIGN_IN, ...json({ session }) })],
  ['cut short', 401, (session) => ({ ...ME, headers: cookie(session.slice(0, -2)) })],
  ['mistyped', 401, (session) => ({ ...ME, headers: cookie(mistyped(session)) })],
  ['on the public API', 401, (session) => ({ headers: cookie(session) })],
  [
    'that is ended',
    200,
    (session) => ({ ...SIGN_IN, method: 'DELETE', body: '', headers: { ...cookie(session), Origin: ORIGIN } }),
  ],
]);

const LINKS = cases('invitation', [
  ['looked at', 200, (token) => ({ ...INSPECT, ...json({ token }) })],
  ['in the path', 404, (link) => ({ ...GET, path: `/join/${link}`, headers: { Accept: 'text/html' } }), 'echo'],
  ['in the query', 200, (link) => ({ ...GET, path: `/join?token=${link}` })],
  ['as a bearer', 401, (link) => ({ ...ME, ...bearer(link) })],
  ['as the cookie', 401, (link) => ({ ...ME, headers: cookie(link) })],
  ['in the headers of a page', 200, (link) => ({ ...GET, path: '/join', headers: elsewhere(link) })],
  ['in an unknown field', 400, (link) => ({ ...REDEEM, ...json({ token: link, link }) })],
  ['as the name of a field', 400, (link) => ({ ...REDEEM, ...json({ [link]: 1 }) }), 'echo'],
  ['cut short', 404, (link) => ({ ...INSPECT, ...json({ token: link.slice(0, -1) }) })],
  ['whole, as it was sent', 404, (link) => ({ ...INSPECT, ...json({ token: `http://localhost/join#${link}` }) })],
  ['in broken JSON', 400, (link) => ({ ...INSPECT, body: `{"token": "${link}` })],
  [
    'with a password that is too short',
    400,
    (token) => ({ ...REDEEM, ...json({ token, name: 'x', password: 'short' }) }),
  ],
  [
    'with the fields of another link',
    400,
    (token) => ({ ...REDEEM, ...json({ token, hubName: 'x', password: 'long enough' }) }),
  ],
]);

const RESETS = cases('reset', [
  ['looked at', 200, (token) => ({ ...INSPECT, ...json({ token }) })],
  ['in the path', 404, (link) => ({ ...GET, path: `/reset/${link}` }), 'echo'],
  [
    'with a field that is too much',
    400,
    (token) => ({ ...REDEEM, ...json({ token, name: 'x', password: 'long enough' }) }),
  ],
]);

/** Not in the path: the server cannot recognize a password there, and paths are logged. */
const PASSWORDS = cases('password', [
  ['of another account', 401, (password) => ({ ...SIGN_IN, ...json({ email: 'ada@example.org', password }) })],
  ['nearly right', 401, (password, { email }) => ({ ...SIGN_IN, ...json({ email, password: mistyped(password) }) })],
  ['in the place of the address', 401, (password) => ({ ...SIGN_IN, ...json({ email: password, password: 'x' }) })],
  ['twice over', 401, (password, { email }) => ({ ...SIGN_IN, ...json({ email, password: password.repeat(2) }) })],
  ['too long', 400, (password, { email }) => ({ ...SIGN_IN, ...json({ email, password: password.repeat(50) }) })],
  [
    'in the query',
    400,
    (password, { email }) => ({ path: `/api/v1/session?password=${password}`, ...json({ email }) }),
  ],
  ['in an unknown field', 400, (passwort, { email }) => ({ ...SIGN_IN, ...json({ email, passwort }) })],
  ['of the wrong type', 400, (password, { email }) => ({ ...SIGN_IN, ...json({ email, password: [password] }) })],
  ['in broken JSON', 400, (password) => ({ ...SIGN_IN, body: `{"password": "${password}` })],
  [
    'in a form',
    415,
    (password) => ({ ...SIGN_IN, contentType: 'application/x-www-form-urlencoded', body: `password=${password}` }),
  ],
  [
    'in basic authentication',
    401,
    (password, { email }) => ({ ...ME, authorization: `Basic ${btoa(`${email}:${password}`)}` }),
  ],
  ['as a bearer', 401, (password) => ({ ...ME, ...bearer(password) })],
  ['as the cookie', 401, (password) => ({ ...ME, headers: cookie(password) })],
  ['in many headers', 200, (password) => ({ ...GET, path: '/api/v1', headers: elsewhere(password) })],
  [
    'with a link that is none',
    404,
    (password) => ({ ...REDEEM, ...json({ token: 'hub_lnk_none', name: 'x', password }) }),
  ],
]);

/** Every way to use such a secret, to be rejected with it, and to put it in the wrong place. */
export const USER_CASES: readonly UserCase[] = [...TOKENS, ...SESSIONS, ...LINKS, ...RESETS, ...PASSWORDS];
