import { pick, type Random } from '@hub/testkit';

/** JSON text that may have no equivalent value, for example with huge numbers or duplicate names. */
export class RawJson {
  constructor(readonly text: string) {}
}

export type JsonLike = null | boolean | number | string | RawJson | JsonLike[] | { [name: string]: JsonLike };

const long = (random: Random): string =>
  pick(random, ['x', 'é', '😀', '\n', '\u0001', '[', '&lt;']).repeat(pick(random, [1, 254, 255, 256, 40_000, 40_001]));

const raw = (...texts: readonly string[]): RawJson[] => texts.map((text) => new RawJson(text));

/** Values that users, templates and attackers send instead of valid ones. */
const ODD: readonly JsonLike[] = [
  ...[null, true, '', ' \t\u0085\ufeff', 0, -1, [], {}, [[[[[[[[[[]]]]]]]]]]],
  ...raw('-0', '1e400', '123456789012345678901234567890', '0.1e-400'),
  ...raw('"\\ud800"', '"a\\udc00b"', '"\\u0000"', '"\\uD83D\\uDE00"'),
  ...['\u202e\u2066x', '../../etc/passwd', "'; drop table items; --", '<script>alert(1)</script>', '__proto__'],
  ...['2026-02-31T00:00:00Z', '2026-03-01T09:30:00Z', '2026-03-01T09:30:60.999999999999999999+23:59'],
];

function oddValue(random: Random): JsonLike {
  return pick<() => JsonLike>(random, [
    ...ODD.map((value) => () => value),
    () => long(random),
    () => Array.from({ length: pick(random, [1, 100, 101, 1_001]) }, () => 'x'),
    () => new RawJson('['.repeat(pick(random, [50, 5_000])) + ']'.repeat(5_000)),
    () => String.fromCharCode(...Array.from({ length: 8 }, () => Math.floor(random() * 65_536))),
  ])();
}

const NAMES = [
  ...['__proto__', 'constructor', 'toString', 'id', 'text', 'content', 'title'],
  ...['Text', ' text', '', 'hubId', 'ſtatus'],
];

/** Changes a value in a few places. */
export function mutateJson(random: Random, value: JsonLike): JsonLike {
  let changed = value;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) changed = mutateOnce(random, changed);
  return changed;
}

function mutateOnce(random: Random, value: JsonLike): JsonLike {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return mutateScalar(random, value);
  if (Array.isArray(value)) return mutateArray(random, value);
  const entries = Object.entries(value);
  const index = Math.floor(random() * entries.length);
  const entry = entries[index];
  const choice = random();
  if (entry === undefined || choice < 0.15) return withEntries([...entries, [pick(random, NAMES), oddValue(random)]]);
  if (choice < 0.25) return withEntries(entries.filter((_, at) => at !== index));
  if (choice < 0.3) return withEntries(entries.with(index, [pick(random, NAMES), entry[1]]));
  if (choice < 0.33)
    return new RawJson(
      `{${[...entries, entry].map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join()}}`,
    );
  return withEntries(entries.with(index, [entry[0], mutateOnce(random, entry[1])]));
}

function mutateScalar(random: Random, value: JsonLike): JsonLike {
  if (typeof value !== 'string' || random() < 0.6) return oddValue(random);
  const at = Math.floor(random() * (value.length + 1));
  return (
    value.slice(0, at) +
    String.fromCharCode(Math.floor(random() * (random() < 0.7 ? 128 : 65_536))) +
    value.slice(at + (random() < 0.5 ? 1 : 0))
  );
}

function mutateArray(random: Random, value: readonly JsonLike[]): JsonLike {
  const index = Math.floor(random() * value.length);
  const element = value[index];
  if (element === undefined || random() < 0.2) return [...value, oddValue(random)];
  if (random() < 0.1) return Array.from({ length: pick(random, [2, 100, 101]) }, () => element);
  if (random() < 0.1) return value.filter((_, at) => at !== index);
  return value.with(index, mutateOnce(random, element));
}

/** Builds JSON from entries. Supports names such as `__proto__`, which would be lost in an object. */
function withEntries(entries: readonly (readonly [string, JsonLike])[]): JsonLike {
  const names = entries.map(([name]) => name);
  if (names.includes('__proto__'))
    return new RawJson(`{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`).join()}}`);
  return Object.fromEntries(entries);
}

export function textOf(value: JsonLike): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner)}`)
      .join()}}`;
  }
  return JSON.stringify(value);
}

/** Mutates bytes: cuts, flips, inserts and doubles them, and adds what editors and shells put around JSON. */
export function mutateBytes(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = Math.floor(random() * (bytes.length + 1));
  const some = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * 256)));
  const make: readonly (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at + some.length)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.concat([Buffer.from('\ufeff\ufeff'), bytes]),
    () => Buffer.concat([bytes, Buffer.from(pick(random, ['\n', '\0', ',', ' ', '}', '//', '\r\n\r\n']))]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.alloc(0),
    () => Buffer.from([0xc0, 0xaf]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(at)]),
    () => Buffer.concat([bytes, Buffer.alloc(1024 * 1024 + 1 - Math.min(bytes.length, 100), ' ')]),
  ];
  return pick(random, make)();
}

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH'],
  ...['LINK'],
];
const TYPES = [
  ...['application/json; charset=utf-8', 'application/json;charset=latin1', 'text/plain'],
  ...['application/problem+json', 'application/json, text/html', 'APPLICATION/JSON'],
  ...['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', ';', ''],
  ...['application/json;'.repeat(200)],
];
const ODD_FIELDS: readonly (readonly [string, string])[] = [
  ...['content-encoding: gzip', 'content-encoding: identity', 'accept: text/html', 'accept: */*;q=NaN'],
  ...['origin: null', 'origin: https://evil.test', 'cookie: hub_session=; hub_session=x; =; ;;', 'cookie: a=%'],
  ...['if-none-match: *', 'if-modified-since: yesterday', 'range: bytes=5-1,-', 'expect: magic'],
  ...['x-forwarded-for: ,,, 1.2.3.4:x, [::]', 'x-forwarded-proto: ftp', 'x-http-method-override: DELETE'],
  ...['x-original-url: /api/v1/users', 'upgrade: websocket', 'upgrade: h2c', 'sec-websocket-version: 13'],
  ...['connection: keep-alive, Authorization', 'te: trailers', 'priority: u=9'],
]
  .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  .concat([
    ['x'.repeat(300), 'y'.repeat(3_000)],
    ['x-odd', '\u00e9\u00ff\u0080'],
  ]);

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
  ...['..', '.', '', '%2e%2e', '%2f', '%00', '%', '%zz', '%ff', '%c0%af', '%ED%A0%80', '*', ':id', 'null'],
  ...['__proto__', 'é', 'x'.repeat(2_000), "a'b", '%23', '%3f', ';a=b', '+', '0', '-1'],
];
const QUERIES = [
  ...['limit=0', 'limit=101', 'limit=1e2', 'limit=%00', 'limit=5&limit=6', 'before=', 'before=x'],
  ...['after=item_00000000000000000000000000&before=x', '&&=&', '%', '%ff=%fe', 'q=%22%22%22', 'q=*', 'q=('],
  ...['q=NEAR(a', 'state=', 'kind=%ED%A0%80', 'unread=maybe', 'x=y', `q=${'a'.repeat(3_000)}`, '__proto__=1'],
  ...['access_token=x', '?'],
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
