import { pick, type Random } from '@hub/testkit';

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'SEARCH',
  'LINK',
];
const TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'text/plain',
  'application/problem+json',
  'application/json, text/html',
  'APPLICATION/JSON',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  '',
  'application/json;'.repeat(200),
];
const ODD_FIELDS: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'identity'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=NaN'],
  ['origin', 'null'],
  ['origin', 'https://evil.test'],
  ['cookie', 'hub_session=; hub_session=x; =; ;;'],
  ['cookie', 'a=%'],
  ['if-none-match', '*'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=5-1,-'],
  ['expect', 'magic'],
  ['x-forwarded-for', ',,, 1.2.3.4:x, [::]'],
  ['x-forwarded-proto', 'ftp'],
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/api/v1/users'],
  ['upgrade', 'websocket'],
  ['upgrade', 'h2c'],
  ['sec-websocket-version', '13'],
  ['connection', 'keep-alive, Authorization'],
  ['te', 'trailers'],
  ['priority', 'u=9'],
  ['x'.repeat(300), 'y'.repeat(3_000)],
  ['x-odd', '\u00e9\u00ff\u0080'],
];

/** Mutates everything except the body. */
export function mutateRequest(random: Random, request: FuzzedRequest): FuzzedRequest {
  const choice = random();
  if (choice < 0.35) return { ...request, path: mutatePath(random, request.path) };
  if (choice < 0.45) return { ...request, method: pick(random, METHODS) };
  return { ...request, headers: mutateHeaders(random, request.headers) };
}

function mutateHeaders(random: Random, headers: FuzzedRequest['headers']): FuzzedRequest['headers'] {
  const choice = random();
  if (choice < 0.3) return [...headers, pick(random, ODD_FIELDS)];
  if (choice < 0.5)
    return headers.map(([name, value]) => (name === 'content-type' ? [name, pick(random, TYPES)] : [name, value]));
  if (choice < 0.6) return headers.filter(([name]) => name !== 'content-type');
  if (choice < 0.9)
    return headers.map(([name, value]) =>
      name === 'authorization' ? [name, mutateCredential(random, value)] : [name, value],
    );
  return [...headers, ...headers.filter(([name]) => name === 'authorization')];
}

function mutateCredential(random: Random, value: string): string {
  const at = Math.floor(random() * value.length);
  const other = pick(random, [...'0aZ-_ .é']);
  return pick(random, [
    () => value.slice(0, at) + other + value.slice(at + 1),
    () => value.slice(0, at),
    () => `${value}${other}`,
    () => value.toLowerCase(),
    () => value.replace('Bearer ', pick(random, ['Basic ', 'bearer  ', 'Bearer\t', 'Bearer', 'BEARER '])),
    () => `${value}, ${value}`,
    () => 'Bearer '.padEnd(pick(random, [7, 8_000]), 'A'),
  ])();
}

const SEGMENTS = [
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%c0%af',
  '%ED%A0%80',
  '*',
  ':id',
  'null',
  '__proto__',
  'é',
  'x'.repeat(2_000),
  "a'b",
  '%23',
  '%3f',
  ';a=b',
  '+',
  '0',
  '-1',
];
const QUERIES = [
  'limit=0',
  'limit=101',
  'limit=1e2',
  'limit=%00',
  'limit=5&limit=6',
  'before=',
  'before=x',
  'after=item_00000000000000000000000000&before=x',
  '&&=&',
  '%',
  '%ff=%fe',
  'q=%22%22%22',
  'q=*',
  'q=(',
  'q=NEAR(a',
  'state=',
  'kind=%ED%A0%80',
  'unread=maybe',
  'x=y',
  `q=${'a'.repeat(3_000)}`,
  '__proto__=1',
  'access_token=x',
  '?',
];

function mutatePath(random: Random, path: string): string {
  if (random() < 0.4) return `${path}${path.includes('?') ? '&' : '?'}${pick(random, QUERIES)}`;
  const segments = path.split('/');
  const at = 1 + Math.floor(random() * (segments.length - 1));
  return pick(random, [
    () => segments.with(at, pick(random, SEGMENTS)).join('/'),
    () => segments.toSpliced(at, 0, pick(random, SEGMENTS)).join('/'),
    () => segments.toSpliced(at, 1).join('/') || '/',
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => path.replaceAll('/', '//'),
  ])();
}
