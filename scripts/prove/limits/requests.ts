import { type HubResponse, headerOf, postRequest } from '../connection.ts';

/** A way to use up one of the sixty requests. The keys of this proof can only create messages. */
export interface Kind {
  readonly name: string;
  readonly status: number;
  /** The average number of requests of this kind among a hundred. */
  readonly share: number;
  readonly request: (key: string) => string;
}

interface Parts {
  method?: string;
  path?: string;
  contentType?: string;
  body?: string;
}

const TOO_LONG = 'x'.repeat(1_048_577);

function raw(key: string, { method = 'POST', path = '/messages', contentType = 'application/json', body = '' }: Parts) {
  const head = [
    `${method} /api/public/v1${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    ...(body ? [`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const BODY = JSON.stringify({ text: 'Hello' });

export const MESSAGE: Kind = {
  name: 'a message',
  status: 201,
  share: 40,
  request: (key) => postRequest('messages', key, 'Hello'),
};

export const KINDS: readonly Kind[] = [
  MESSAGE,
  { name: 'a scope that is missing', status: 403, share: 12, request: (key) => postRequest('notes', key, 'Hello') },
  { name: 'an unknown path', status: 404, share: 12, request: (key) => raw(key, { path: '/nothing', body: BODY }) },
  { name: 'another method', status: 405, share: 12, request: (key) => raw(key, { method: 'GET' }) },
  { name: 'a form', status: 415, share: 12, request: (key) => raw(key, { contentType: 'text/plain', body: 'text=x' }) },
  { name: 'broken JSON', status: 400, share: 11.7, request: (key) => raw(key, { body: '{"text": ' }) },
  { name: 'a body that is too large', status: 413, share: 0.3, request: (key) => raw(key, { body: TOO_LONG }) },
];

/** Chooses a kind at random, weighted by the shares. */
export function anyKind(random: () => number): Kind {
  let left = random() * KINDS.reduce((sum, { share }) => sum + share, 0);
  for (const kind of KINDS) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return MESSAGE;
}

const POLICY = '"default";q=60;w=60';

/**
 * Returns the limit that a response reports, in the format of `Rule`, or a problem if the response has another form.
 */
export function limitIn(response: HubResponse, kind: Kind): string {
  const [policy, limit, retryAfter] = ['RateLimit-Policy', 'RateLimit', 'Retry-After'].map((name) =>
    headerOf(response, name),
  );
  if (policy !== POLICY) return `${response.status} with RateLimit-Policy ${policy}`;
  if (retryAfter !== null && response.status === 403) return `refused, RateLimit ${limit}, Retry-After ${retryAfter}`;
  if (response.status === kind.status && retryAfter === null) return `passed, RateLimit ${limit}`;
  return `${kind.name} returned ${response.status}, RateLimit ${limit}, Retry-After ${retryAfter}`;
}
