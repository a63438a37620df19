import { connect } from 'node:net';

/** A request with a key, and the status that shows the intended outcome. */
interface Case {
  readonly name: string;
  readonly status: number;
  readonly request: (key: string) => string;
  /**
   * Text that the API returns only to the sender of this request, since it repeats the path, field or type that was
   * sent.
   */
  readonly isEcho?: true;
  /** The only scope of the key; by default, the key has all three. */
  readonly scope?: 'notes:create';
}

export interface Parts {
  method?: string;
  path?: string;
  /** The value of the Authorization header; null omits it. */
  authorization?: string | null;
  contentType?: string;
  body?: string;
  headers?: Record<string, string>;
}

const MESSAGES = '/api/public/v1/messages';
const HELLO = JSON.stringify({ text: 'Hello' });

/** Returns a raw request that posts a message, with the changes in `parts`. */
export function httpRequest(parts: Parts): string {
  const { method = 'POST', path = MESSAGES, authorization = null, body = HELLO } = parts;
  const headers: Record<string, string> = {
    Host: 'localhost',
    Connection: 'close',
    ...(authorization === null ? {} : { Authorization: authorization }),
    'Content-Type': parts.contentType ?? 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...parts.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

const post = (name: string, status: number, parts: (key: string) => Parts, more: Partial<Case> = {}): Case => ({
  name,
  status,
  request: (key) => httpRequest({ authorization: `Bearer ${key}`, ...parts(key) }),
  ...more,
});

export const json = (value: unknown): Parts => ({ body: JSON.stringify(value) });

/** Every way to post, to be rejected, and to put a key in the wrong place. */
export const CASES: readonly Case[] = [
  post('a message', 201, () => ({})),
  post('a note', 201, () => ({ path: '/api/public/v1/notes', ...json({ content: 'Hello' }) })),
  post('a to-do', 201, () => ({ path: '/api/public/v1/todos', ...json({ title: 'Hello' }) })),
  post('a relayed message with the key in an unknown field', 201, (key) => ({
    path: '/api/public/v1/relay/slack',
    ...json({ text: 'Hello', token: key }),
  })),
  post('many headers with the key', 201, (key) => ({
    headers: { 'X-Request-Id': key, 'User-Agent': key, Referer: `http://localhost/?key=${key}`, 'X-Api-Key': key },
  })),
  post('the key in the query as well', 201, (key) => ({ path: `${MESSAGES}?access_token=${key}` })),

  post('an unknown field with the key', 400, (key) => json({ text: 'Hello', apiKey: key })),
  post('the key as the name of a field', 400, (key) => json({ text: 'Hello', [key]: 1 }), { isEcho: true }),
  post('a value of the wrong type', 400, (key) => json({ text: { key } })),
  post('the key as a due date', 400, (key) => ({
    path: '/api/public/v1/todos',
    ...json({ title: 'x', dueDate: key }),
  })),
  post('the key as a priority', 400, (key) => ({
    path: '/api/public/v1/todos',
    ...json({ title: 'x', priority: key }),
  })),
  post('a block with the key as its level', 400, (key) => json({ blocks: [{ type: 'header', data: { level: key } }] })),
  post('broken JSON', 400, (key) => ({ body: `{"text": "${key}` })),
  post('broken UTF-16', 400, (key) => ({ body: `{"text": "${key}\\ud800"}` })),

  post('the key in the query alone', 401, (key) => ({ path: `${MESSAGES}?key=${key}`, authorization: null })),
  post('the key in the path', 401, (key) => ({ path: `/api/public/v1/${key}`, authorization: null }), { isEcho: true }),
  post('the key in a cookie', 401, (key) => ({ authorization: null, headers: { Cookie: `key=${key}` } })),
  post('the key in the body', 401, (key) => ({ authorization: null, ...json({ text: 'Hello', apiKey: key }) })),
  post('the key in a header of its own', 401, (key) => ({ authorization: null, headers: { 'X-Api-Key': key } })),
  post('no scheme', 401, (key) => ({ authorization: key })),
  post('another scheme', 401, (key) => ({ authorization: `Token ${key}` })),
  post('basic authentication', 401, (key) => ({ authorization: `Basic ${btoa(`hub:${key}`)}` })),
  post('something behind the key', 401, (key) => ({ authorization: `Bearer ${key}, realm="hub"` })),
  post('the key twice', 401, (key) => ({ authorization: `Bearer ${key}${key}` })),
  post('the key cut short', 401, (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })),
  post('the key mistyped', 401, (key) => ({
    authorization: `Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
  })),
  post('the key with the prefix of a token', 401, (key) => ({ authorization: `Bearer ${key.replace('live', 'pat')}` })),
  post('a key on the workspace API', 401, () => ({ method: 'GET', path: '/api/v1/keys', body: '' })),
  post('a key on the metrics', 404, () => ({ method: 'GET', path: '/metrics', body: '' })),

  post('a scope that is missing', 403, () => ({}), { scope: 'notes:create' }),
  post('an unknown path', 404, () => ({ path: '/api/public/v1/nothing' })),
  post('the key in an unknown path', 404, (key) => ({ path: `/api/public/v1/${key}` }), { isEcho: true }),
  post('a path outside of the API', 404, (key) => ({ path: `/nothing?key=${key}` })),
  post('another method', 405, () => ({ method: 'GET', body: '' })),
  post('a body that is too large', 413, (key) => json({ text: key.repeat(25_000) })),
  post('a form', 415, (key) => ({ contentType: 'application/x-www-form-urlencoded', body: `text=Hello&key=${key}` })),
  post('a content type with the key', 415, (key) => ({ contentType: `text/${key}` }), { isEcho: true }),
  post('a host that is none', 400, (key) => ({ headers: { Host: `${key} x` } })),
  post('a header that is none', 400, (key) => ({ headers: { [`${key} x`]: 'y' } })),
  post('a line break in the header', 400, (key) => ({ authorization: `Bearer\r\n ${key}` })),
  post('NUL in the header', 400, (key) => ({ authorization: `Bearer ${key}\0` })),
  post('more header than there may be', 431, (key) => ({ headers: { 'X-Long': key.repeat(500) } })),
];

/**
 * Sends a request and reads until the server closes the connection. `to` is a loopback port or the path of a socket.
 */
export function exchange(to: number | string, request: string): Promise<Buffer> {
  const socket = typeof to === 'number' ? connect({ host: '127.0.0.1', port: to }) : connect({ path: to });
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    socket.setTimeout(15_000, () => socket.destroy(new Error('The server did not close the connection')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    // A reset is reported as an error first; data received before it still counts.
    socket.on('error', (error) => (chunks.length > 0 ? socket.destroy() : reject(error)));
    socket.write(request);
  });
}

export function statusOf(response: Buffer): number {
  return Number(response.toString('latin1', 9, 12));
}
