import { pick, type Random } from '@hub/testkit';

type MakeText = (random: Random) => string;

const LETTERS = ['x', 'é', '😀', '\n', '\u0001', '[', '&lt;'];
const oddStrings = ['', ' \t\u0085\ufeff', '../../etc/passwd', "'; drop table items; --", '<script>alert(1)</script>'];
oddStrings.push('__proto__', '2026-02-31T00:00:00Z', '2026-03-01T09:30:00Z', '2026-03-01T09:30:60.9999999999999+23:59');

/** JSON texts that users, templates and attackers send instead of valid values; some have no equivalent value. */
const ODD: readonly MakeText[] = [
  ...['null', 'true', '0', '-1', '-0', '1e400', '123456789012345678901234567890', '0.1e-400', '[]', '{}'],
  ...['[[[[[[[[[[]]]]]]]]]]', '"\\ud800"', '"a\\udc00b"', '"\\u0000"', '"\\uD83D\\uDE00"', '"\\u202e\\u2066x"'],
  ...oddStrings.map((text) => JSON.stringify(text)),
  (random: Random) => JSON.stringify(pick(random, LETTERS).repeat(pick(random, [1, 254, 255, 256, 40_000, 40_001]))),
  (random: Random) => JSON.stringify(Array(pick(random, [1, 100, 101, 1_001])).fill('x')),
  (random: Random) => '['.repeat(pick(random, [50, 5_000])) + ']'.repeat(5_000),
  (random: Random) => JSON.stringify(String.fromCharCode(...Array.from({ length: 8 }, () => random() * 65_536))),
].map((each) => (typeof each === 'string' ? () => each : each));

const NAMES = [
  ...['__proto__', 'constructor', 'toString', 'id', 'text', 'content', 'title'],
  ...['Text', ' text', '', 'hubId', 'ſtatus'],
];

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const SCALAR = `(?:${STRING}|-?\\d[\\d.]*|true|false|null)`;
const [NAME, VALUE, MEMBER, TEXT, LIST] = [
  ...[`${STRING}(?=:)`, `(?<=[:,[])${SCALAR}(?=[,\\]}])`, `${STRING}:${SCALAR}(?:,|(?=}))`],
  ...[`(?<=[:[]")[^"\\\\]*(?=")`, '(?<=\\[)\\{.*\\}(?=\\])'],
].map((pattern) => new RegExp(pattern, 'g')) as [RegExp, RegExp, RegExp, RegExp, RegExp];

/** Replaces one of the matches, at random. */
function replaceOne(random: Random, text: string, pattern: RegExp, replace: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { 0: match, index } = pick(random, matches);
  return text.slice(0, index) + replace(match) + text.slice(index + match.length);
}

/** Changes the text of an object in a few places. Most results are still JSON. */
export function mutateJson(random: Random, text: string): string {
  const odd = (): string => pick(random, ODD)(random);
  const name = (): string => JSON.stringify(pick(random, NAMES));
  const edit = (string: string): string => {
    const at = Math.floor(random() * (string.length + 1));
    const letter = String.fromCharCode(Math.floor(random() * (random() < 0.7 ? 128 : 65_536)));
    return string.slice(0, at) + JSON.stringify(letter).slice(1, -1) + string.slice(at + Math.round(random()));
  };
  const values = [VALUE, odd] as const;
  const ways: readonly (readonly [RegExp, (match: string) => string])[] = [
    ...[values, values, values, values, [TEXT, edit] as const, [NAME, name] as const, [MEMBER, () => ''] as const],
    [NAME, (match) => `${name()}:${odd()},${match}`],
    // The last of two members with one name counts, whatever the value of the first.
    [/\}$/g, () => `,${/"\w+"(?=:)/.exec(text)?.[0] ?? name()}:${odd()}}`],
    [
      LIST,
      (match) =>
        Array(pick(random, [2, 100, 101]))
          .fill(match)
          .join(),
    ],
    [LIST, (match) => `${match},${odd()}`],
  ];
  let changed = text;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1)
    changed = replaceOne(random, changed, ...pick(random, ways));
  return changed;
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
