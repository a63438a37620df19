export interface Parts {
  readonly method?: string;
  readonly path?: string;
  /** The value of the Authorization header. */
  readonly authorization?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const MESSAGES = '/api/public/v1/messages';
/** The host name in the requests. */
export const ORIGIN = 'http://localhost';

export const json = (value: unknown): Parts => ({ body: JSON.stringify(value) });
export const bearer = (secret: string): Parts => ({ authorization: `Bearer ${secret}` });
export const cookie = (session: string): Record<string, string> => ({ Cookie: `hub_session=${session}` });
const GET = { method: 'GET', body: '' } as const;
export const ME: Parts = { ...GET, path: '/api/v1/me' };
export const SIGN_IN: Parts = { path: '/api/v1/session' };
export const REDEEM: Parts = { path: '/api/v1/links/redemption' };
const INSPECT: Parts = { path: '/api/v1/links/inspection' };

const mistyped = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
const elsewhere = (secret: string): Record<string, string> => ({
  'X-Request-Id': secret,
  'User-Agent': secret,
  Referer: `http://localhost/?secret=${secret}`,
  'X-Api-Key': secret,
});
const UPGRADE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const;

export type SecretKind = 'key' | 'token' | 'session' | 'invitation' | 'reset' | 'password';

/** A request with a secret, and the status that shows the intended outcome. */
interface SecretUse {
  readonly name: string;
  readonly status: number;
  readonly parts: (secret: string, email: string) => Parts;
  /** The statuses for the kinds of secret that belong there. */
  readonly accepted?: Partial<Record<SecretKind, number>>;
  /** The API returns what was sent to the sender alone: the path, the name of a field or the type. */
  readonly isEcho?: true;
  /** The server cannot recognize a password in a path, and paths are logged. */
  readonly isPath?: true;
}

const use = (name: string, status: number, parts: SecretUse['parts'], more: Partial<SecretUse> = {}): SecretUse =>
  Object.assign({ name, status, parts }, more);
const inPath = { isEcho: true, isPath: true } as const;
const isEcho = true;

/** Every mistaken use of a secret of any kind, and the uses of those that belong there. */
const ANYWHERE: readonly SecretUse[] = [
  use('as a bearer of the public API', 401, bearer, { accepted: { key: 201 } }),
  use('as a bearer of the workspace API', 401, (s) => ({ ...ME, ...bearer(s) }), { accepted: { token: 200 } }),
  use('as the cookie', 401, (s) => ({ ...ME, headers: cookie(s) }), { accepted: { session: 200 } }),
  use('in the cookie for HTTPS', 401, (s) => ({ ...ME, headers: { Cookie: `__Host-hub_session=${s}` } })),
  use('in other headers', 200, (s) => ({ ...GET, path: '/api/v1', headers: elsewhere(s) })),
  use('in the query of the public API', 401, (s) => ({ path: `${MESSAGES}?key=${s}` })),
  use('in the query of a live view', 401, (s) => ({ ...GET, path: `/api/v1/live?token=${s}`, headers: UPGRADE })),
  use('in the query of a page', 200, (s) => ({ ...GET, path: `/join?token=${s}` })),
  use('in the path of the public API', 401, (s) => ({ path: `/api/public/v1/${s}` }), inPath),
  use('in an unknown field', 400, (s) => ({ ...SIGN_IN, ...json({ secret: s }) })),
  use('as the name of a field', 400, (s) => ({ ...SIGN_IN, ...json({ [s]: 1 }) }), { isEcho }),
  use('as a wrong password', 401, (s) => ({ ...SIGN_IN, ...json({ email: 'ada@example.org', password: s }) })),
  use('with the wrong type', 400, (s) => ({ ...SIGN_IN, ...json({ email: 'ada@example.org', password: [s] }) })),
  use('in broken JSON', 400, (s) => ({ ...SIGN_IN, body: `{"password": "${s}` })),
  use('in a form', 415, (s) => ({ ...SIGN_IN, contentType: 'application/x-www-form-urlencoded', body: `x=${s}` })),
  use('as a link', 404, (s) => ({ ...INSPECT, ...json({ token: s }) }), { accepted: { invitation: 200, reset: 200 } }),
  use('as a link with unknown fields', 404, (s) => ({ ...REDEEM, ...json({ token: s, link: s }) }), {
    accepted: { invitation: 400, reset: 400 },
  }),
  use('in basic authentication', 401, (s) => ({ authorization: `Basic ${btoa(`hub:${s}`)}` })),
  use('cut short', 401, (s) => bearer(s.slice(0, -1))),
  use('mistyped', 401, (s) => bearer(mistyped(s))),
  use('on the metrics', 404, (s) => ({ ...GET, path: '/metrics', ...bearer(s) })),
  use('before NUL', 400, (s) => ({ authorization: `Bearer ${s}\0` })),
  use('as a header', 400, (s) => ({ headers: { [`${s} x`]: 'y' } })),
  use('in more headers than allowed', 431, (s) => ({ headers: { 'X-Long': s.repeat(600) } })),
];

const post = (name: string, status: number, parts: (key: string) => Parts, more: Partial<SecretUse> = {}) =>
  use(name, status, (key) => ({ ...bearer(key), ...parts(key) }), more);

/** Requests that a secret of this kind authenticates, or that only such a secret is sent with. */
const OF_KIND: Readonly<Record<SecretKind, readonly SecretUse[]>> = {
  key: [
    post('in a payload of the relay', 201, (key) => ({
      path: '/api/public/v1/relay/slack',
      ...json({ text: 'Hello', token: key }),
    })),
    post('and in an unknown field', 400, (key) => json({ text: 'Hello', apiKey: key })),
    post('and in a value of the wrong type', 400, (key) => json({ text: { key } })),
    post('and as a due date', 400, (key) => ({ path: '/api/public/v1/todos', ...json({ title: 'x', dueDate: key }) })),
    post('and in a block', 400, (key) => json({ blocks: [{ type: 'header', data: { level: key } }] })),
    post('with another method', 405, () => ({ method: 'GET', body: '' })),
    post('and in a body that is too large', 413, (key) => json({ text: key.repeat(25_000) })),
  ],
  token: [
    post('and as an id', 404, (token) => ({ ...GET, path: `/api/v1/items/${token}` }), inPath),
    post('for what needs a session', 403, () => ({ path: '/api/v1/me/tokens', ...json({ name: 'x' }) })),
  ],
  session: [
    use('without an origin', 403, (s) => ({ ...ME, method: 'PATCH', headers: cookie(s), ...json({ name: 'x' }) })),
    use('of another site', 403, (s) => ({
      ...ME,
      method: 'PATCH',
      headers: { ...cookie(s), Origin: 'http://evil.test' },
    })),
    use('for a live view', 403, (s) => ({ ...GET, path: '/api/v1/live', headers: { ...cookie(s), ...UPGRADE } })),
  ],
  invitation: [
    use('with a short password', 400, (token) => ({ ...REDEEM, ...json({ token, name: 'x', password: 'short' }) })),
  ],
  reset: [
    use('with other fields', 400, (token) => ({ ...REDEEM, ...json({ token, name: 'x', password: 'long enough' }) })),
  ],
  password: [
    use('nearly right', 401, (password, email) => ({ ...SIGN_IN, ...json({ email, password: mistyped(password) }) })),
    use('too long', 400, (password, email) => ({ ...SIGN_IN, ...json({ email, password: password.repeat(50) }) })),
    use('in the query of the sign-in', 400, (password, email) => ({
      ...{ path: `/api/v1/session?password=${password}` },
      ...json({ email }),
    })),
  ],
};

/** Returns every way to use a secret of this kind, to be rejected with it, and to send it where it does not belong. */
export function usesOf(kind: SecretKind): readonly SecretUse[] {
  return [...ANYWHERE.filter(({ isPath }) => !(isPath && kind === 'password')), ...OF_KIND[kind]];
}
