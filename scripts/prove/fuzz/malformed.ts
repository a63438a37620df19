import { type HubServer, openConnection, type Proof, problemOfError, withConcurrency } from '@hub/testkit';

/**
 * The required outcome of a request:
 * - `cut`: it is malformed, so its end is unknown. Nothing is stored, and the connection is closed, so that the bytes
 *   that follow are never read as a request;
 * - `rejected`: its end is clear, but it must not be accepted. The response is a 4xx with the four fields;
 * - `stored`: unusual, but valid.
 */
type Fate = 'cut' | 'rejected' | 'stored';

interface RawCase {
  readonly name: string;
  readonly fate: Fate;
  readonly bytes: Buffer;
  /** Whether the sender hangs up after sending everything. */
  readonly isLeaving?: boolean;
}

interface Parts {
  /** The request line. */
  line?: string;
  /** Replaces `Host: hub`. */
  host?: readonly string[];
  /** Additional headers. */
  fields?: readonly string[];
  /** Replaces the true Content-Length. */
  length?: readonly string[];
  body?: string;
  /** The line ending of the head. */
  end?: string;
}

/** A key can be used 60 times per minute. */
const CASES_PER_KEY = 25;
/** How long the server has to close a connection. */
const CUT_MS = 2_000;
const CHUNKED = ['Transfer-Encoding: chunked'];
const PATH = '/api/public/v1/messages';

/** Returns raw requests with a key that can post. The items that they would create have the names of the cases. */
function rawCases(key: string): RawCase[] {
  const cases: RawCase[] = [];
  const add = (
    fate: Fate,
    name: string,
    make: (body: string) => Parts,
    options: { isLeaving?: boolean } = {},
  ): void => {
    const body = JSON.stringify({ text: name });
    cases.push({ name, fate, bytes: request(key, { body, ...make(body) }), ...options });
  };
  const inChunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  addLengths(add, key, inChunk);
  addChunks(add, inChunk);
  addFields(add);
  addLines(add);
  return cases;
}

type Add = (fate: Fate, name: string, make: (body: string) => Parts, options?: { isLeaving?: boolean }) => void;

function addLengths(add: Add, key: string, inChunk: (body: string) => string): void {
  const length = (value: string): readonly string[] => [`Content-Length: ${value}`];
  add('cut', 'a length and chunks', (body) => ({
    length: [`Content-Length: ${body.length}`, ...CHUNKED],
    body: inChunk(body),
  }));
  add('cut', 'chunks and a length', (body) => ({ length: [...CHUNKED, `Content-Length: ${body.length}`] }));
  add('cut', 'two lengths', (body) => ({ length: [`Content-Length: ${body.length}`, 'Content-Length: 5'] }));
  add('stored', 'the same length twice', (body) => {
    const field = `Content-Length: ${body.length}`;
    return { length: [field, field] };
  });
  for (const [name, value] of [
    ['a list of lengths', '12, 12'],
    ['a length with a sign', '+12'],
    ['a negative length', '-1'],
    ['a hexadecimal length', '0x0c'],
    ['a length with a word', '12 x'],
    ['an empty length', ''],
    ['a length beyond 64 bits', '18446744073709551628'],
    ['a length beyond all', '9'.repeat(40)],
    ['a length in other digits', '１２'],
  ] as const) {
    add('cut', name, () => ({ length: length(value) }));
  }
  add('rejected', 'a length that is too short', () => ({ length: length('5') }));
  add('cut', 'a length that is too long, and then nothing', (body) => ({ length: length(String(body.length + 9)) }), {
    isLeaving: true,
  });
  add('rejected', 'a request within a body', (body) => ({
    body: goodRequest(key, `within ${body}`).toString('latin1'),
  }));
  add('cut', 'half a head', () => ({ body: '', end: '\r\n', length: ['X: '] }), { isLeaving: true });
  for (const [name, value] of [
    ['a coding that is none', 'xchunked'],
    ['the coding identity', 'identity'],
    ['two codings', 'gzip, chunked'],
    ['chunks that are not last', 'chunked, identity'],
    ['chunks behind a vertical tab', '\x0bchunked'],
  ] as const) {
    add('cut', name, (body) => ({ length: [`Transfer-Encoding: ${value}`], body: inChunk(body) }));
  }
  add('cut', 'two fields of codings', (body) => ({
    length: [...CHUNKED, 'Transfer-Encoding: identity'],
    body: inChunk(body),
  }));
  add('cut', 'chunks in HTTP/1.0', (body) => ({ line: `POST ${PATH} HTTP/1.0`, length: CHUNKED, body: inChunk(body) }));
  add('stored', 'chunks in capitals', (body) => ({ length: ['Transfer-Encoding: CHUNKED'], body: inChunk(body) }));
}

function addChunks(add: Add, inChunk: (body: string) => string): void {
  const size = (body: string): string => body.length.toString(16);
  add('stored', 'a chunk with an extension', (body) => ({
    length: CHUNKED,
    body: `${size(body)};a=b\r\n${body}\r\n0\r\n\r\n`,
  }));
  for (const [name, chunks] of [
    ['a chunk size that is not a number', (body: string) => `zz\r\n${body}\r\n0\r\n\r\n`],
    ['a negative chunk size', (body: string) => `-${inChunk(body)}`],
    ['a chunk size with 0x', (body: string) => `0x${inChunk(body)}`],
    ['a chunk size before a space', (body: string) => `${size(body)} \r\n${body}\r\n0\r\n\r\n`],
    ['a chunk size beyond 64 bits', (body: string) => `1000000000000000${inChunk(body)}`],
    ['an empty chunk size', (body: string) => `\r\n${body}\r\n0\r\n\r\n`],
    ['a chunk size that ends with LF', (body: string) => `${size(body)}\n${body}\r\n0\r\n\r\n`],
    ['an extension that ends with LF', (body: string) => `${size(body)};a\n${body}\r\n0\r\n\r\n`],
    ['an extension without an end', (body: string) => `${size(body)};${'a'.repeat(100_000)}`],
    ['a chunk that is longer than it says', (body: string) => `5\r\n${body}\r\n0\r\n\r\n`],
    ['a chunk that something follows', (body: string) => `${size(body)}\r\n${body}XX0\r\n\r\n`],
  ] as const) {
    add('cut', name, (body) => ({ length: CHUNKED, body: chunks(body) }));
  }
  add('cut', 'chunks without the last', (body) => ({ length: CHUNKED, body: `${size(body)}\r\n${body}\r\n` }), {
    isLeaving: true,
  });
}

function addFields(add: Add): void {
  for (const [name, field] of [
    ['a folded field', 'X: a\r\n b'],
    ['a space before the colon', 'X : a'],
    ['a space in a name', 'X Y: a'],
    ['no colon', 'XYZ'],
    ['no name', ': a'],
    ['NUL in a value', 'X: a\0b'],
    ['NUL in a name', 'X\0: a'],
    ['a control character in a value', 'X: a\x01b'],
    ['a lone CR', 'X: a\rY: b'],
    ['a lone LF', 'X: a\nY: b'],
    ['a head of 20 KB', `X: ${'a'.repeat(20_000)}`],
    ['250 fields', Array.from({ length: 250 }, (_, n) => `X${n}: a`).join('\r\n')],
  ] as const) {
    add('cut', name, () => ({ fields: [field] }));
  }
  add('cut', 'a space before the colon of the length', (body) => ({ length: [`Content-Length : ${body.length}`] }));
  add('cut', 'lines that end with LF', () => ({ end: '\n' }));
  add('cut', 'no Host', () => ({ host: [] }));
  add('rejected', 'two hosts', () => ({ host: ['Host: hub', 'Host: other'] }));
  add('rejected', 'the same host twice', () => ({ host: ['Host: hub', 'Host: hub'] }));
  add('rejected', 'a host with a path', () => ({ host: ['Host: hub/x'] }));
  add('rejected', 'two keys', () => ({ fields: ['Authorization: Bearer hub_live_other'] }));
  add('rejected', 'two types', () => ({ fields: ['Content-Type: text/plain'] }));
  add('stored', 'a promise of HTTP/2', () => ({ fields: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'] }));
}

function addLines(add: Add): void {
  for (const [name, line] of [
    ['HTTP/0.9', `POST ${PATH}`],
    ['HTTP/1.2', `POST ${PATH} HTTP/1.2`],
    ['HTTP/2.0', `POST ${PATH} HTTP/2.0`],
    ['a version in lower case', `POST ${PATH} http/1.1`],
    ['a version with more', `POST ${PATH} HTTP/1.1x`],
    ['a method in lower case', `post ${PATH} HTTP/1.1`],
    ['a method that is none', `FOO ${PATH} HTTP/1.1`],
    ['two spaces', `POST  ${PATH} HTTP/1.1`],
    ['tabs', `POST\t${PATH}\tHTTP/1.1`],
    ['a space in the path', `POST ${PATH} x HTTP/1.1`],
    ['NUL in the path', `POST ${PATH}\0 HTTP/1.1`],
    ['a control character in the path', `POST ${PATH}\x01 HTTP/1.1`],
    ['no slash', `POST ${PATH.slice(1)} HTTP/1.1`],
    ['backslashes', `POST ${PATH.replaceAll('/', '\\')} HTTP/1.1`],
    ['empty lines before it', `\r\n\r\nPOST ${PATH} HTTP/1.1`],
    ['a line of a proxy before it', `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nPOST ${PATH} HTTP/1.1`],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nPOST ${PATH} HTTP/1.1`],
  ] as const) {
    add('cut', name, () => ({ line }));
  }
  for (const [name, line] of [
    ['a doubled slash', `POST /${PATH} HTTP/1.1`],
    ['a path in another case', `POST ${PATH.toUpperCase()} HTTP/1.1`],
    ['an encoded letter', `POST ${PATH.replace('messages', '%6dessages')} HTTP/1.1`],
    ['a slash at the end', `POST ${PATH}/ HTTP/1.1`],
    ['bytes beyond ASCII in the path', `POST ${PATH}\xff HTTP/1.1`],
    ['PUT', `PUT ${PATH} HTTP/1.1`],
    ['CONNECT', `CONNECT hub:80 HTTP/1.1`],
    ['TRACE', `TRACE ${PATH} HTTP/1.1`],
    ['PROPFIND', `PROPFIND ${PATH} HTTP/1.1`],
  ] as const) {
    add('rejected', name, () => ({ line }));
  }
  add('stored', 'an absolute address', () => ({ line: `POST http://other${PATH} HTTP/1.1` }));
  add('stored', 'HTTP/1.0', () => ({ line: `POST ${PATH} HTTP/1.0` }));
  add('stored', 'dot segments', () => ({ line: `POST /api/x/../public/v1/messages HTTP/1.1` }));
}

function request(key: string, { line, host, fields = [], length, body = '', end = '\r\n' }: Parts): Buffer {
  const head = [
    line ?? `POST ${PATH} HTTP/1.1`,
    ...(host ?? ['Host: hub']),
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...fields,
    ...(length ?? [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join(end)}${end}${end}${body}`, 'latin1');
}

/** Returns a valid request that follows another one. */
function goodRequest(key: string, text: string): Buffer {
  return request(key, { body: JSON.stringify({ text }) });
}

/** Sends every kind of malformed request, each followed by a valid one from another sender. */
export async function proveMalformed({ none }: Proof, { admin, port }: HubServer): Promise<void> {
  const [hubId = ''] = await admin.createHubs(1);
  const keys = await admin.issueKeys([hubId], Math.ceil(rawCases('').length / CASES_PER_KEY) + 1);
  const [other = '', ...own] = keys.map(({ key }) => key);
  const cases = own.flatMap((key, n) => rawCases(key).slice(n * CASES_PER_KEY, (n + 1) * CASES_PER_KEY));
  const problemsOf = async (each: RawCase): Promise<string[]> => {
    const problem = await problemOfCase(port, each, goodRequest(other, `behind ${each.name}`));
    return problem === null ? [] : [`${each.name}: ${problem}`];
  };
  const problems = (await withConcurrency(cases, problemsOf, 12)).flat();
  const stored = (await admin.all('GET /hubs/{hubId}/messages', { hubId })).map(({ text }) => text ?? '');
  const good = cases.filter(({ fate }) => fate === 'stored').map(({ name }) => name);
  const wrong = stored.filter((text) => !good.includes(text));
  const missing = good.filter((text) => stored.filter((each) => each === text).length !== 1);
  none('each raw request has the required outcome', problems, `${cases.length} requests`);
  none('no malformed or rejected request is stored, nor what follows it', wrong);
  none('unusual but valid requests are stored once', missing);
}

/** Sends a malformed request, followed by a valid one from another sender, and describes what is wrong; null: nothing. */
async function problemOfCase(port: number, { fate, bytes, isLeaving = false }: RawCase, behind: Buffer) {
  using connection = await openConnection(port);
  if (isLeaving) {
    await connection.write(bytes);
    return null;
  }
  if (fate !== 'cut') {
    const response = await connection.send(bytes);
    const { status, body } = response;
    if (fate === 'stored') return status === 201 ? null : `got ${status}`;
    if (status < 400 || status > 499) return `got ${status}`;
    if (!response.header('x-request-id')?.startsWith('req_')) return `${status} without X-Request-Id`;
    return problemOfError(status, body);
  }
  await connection.write(Buffer.concat([bytes, behind]));
  const statuses: number[] = [];
  const reading = (async () => {
    for (;;) statuses.push((await connection.response()).status);
  })().catch(() => {});
  const isClosed = (await Promise.race([reading, Bun.sleep(CUT_MS).then(() => 'open')])) !== 'open';
  if (statuses.includes(201)) return `got ${statuses}`;
  return isClosed ? null : `the connection went on after ${statuses}`;
}
