/**
 * Promise: malformed HTTP has no effect, nor has anything behind it on the connection (request smuggling).
 *
 * Proof: sends every kind of malformed request, each followed by a valid one from another sender. That no input makes the
 * server fail is shown by `apps/api/test/openapi-agreement.property.test.ts`, for every operation.
 */
import { join } from 'node:path';
import { HubServer, openConnection, withConcurrency } from '@hub/testkit';
import { problemOfError } from './kit/post-load.ts';
import { type Proof, runProof } from './kit/proof.ts';

const counterProofs = [
  // Accepts requests with two hosts.
  {
    file: 'apps/api/src/http/announce-connection.ts',
    find: 'if (host !== null && request !== received) {',
    replace: "if (host === '') {",
    fails: 'no malformed or rejected request is stored',
  },
] as const;

/**
 * The required outcome of a request:
 * - `cut`: it is malformed, so its end is unknown. Nothing is stored, and the connection is closed, so that the bytes
 *   that follow are never read as a request;
 * - `rejected`: its end is clear, but it must not be accepted. The response is a 4xx with the four fields;
 * - `stored`: unusual, but valid.
 */
type Fate = 'cut' | 'rejected' | 'stored';

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

type Make = (body: string) => Parts;
/** `leaving`: the sender hangs up after sending everything. */
type Case = readonly [name: string, make: Make, isLeaving?: 'leaving' | undefined];

const trueLength = (body: string): string => `Content-Length: ${body.length}`;
const inChunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const length = (name: string, value: string): Case => [name, () => ({ length: [`Content-Length: ${value}`] })];
const coding = (name: string, ...codings: string[]): Case => [
  name,
  (body) => ({ length: codings.map((value) => `Transfer-Encoding: ${value}`), body: inChunk(body) }),
];
/** A body in chunks: `N` is the length of the body, and `B` the body. */
const chunks = (name: string, text: string, ...leaving: 'leaving'[]): Case => [
  name,
  (body) => ({ length: CHUNKED, body: text.replace('N', body.length.toString(16)).replace('B', () => body) }),
  leaving[0],
];
const END = '\r\n0\r\n\r\n';
const field = (name: string, text: string): Case => [name, () => ({ fields: [text] })];
const host = (name: string, ...hosts: string[]): Case => [name, () => ({ host: hosts.map((each) => `Host: ${each}`) })];
/** `PATH` is the path of a post. */
const line = (name: string, text: string): Case => [name, () => ({ line: text.replace('PATH', PATH) })];

const CASES: Readonly<Record<Fate, readonly Case[]>> = {
  cut: [
    ['a length and chunks', (body) => ({ length: [trueLength(body), ...CHUNKED], body: inChunk(body) })],
    ['chunks and a length', (body) => ({ length: [...CHUNKED, trueLength(body)] })],
    ['two lengths', (body) => ({ length: [trueLength(body), 'Content-Length: 5'] })],
    length('a list of lengths', '12, 12'),
    length('a length with a sign', '+12'),
    length('a negative length', '-1'),
    length('a hexadecimal length', '0x0c'),
    length('a length with a word', '12 x'),
    length('an empty length', ''),
    length('a length beyond 64 bits', '18446744073709551628'),
    length('a length beyond all', '9'.repeat(40)),
    length('a length in other digits', '１２'),
    ['a space before the colon of the length', (body) => ({ length: [`Content-Length : ${body.length}`] })],
    ['a length that is too long', (body) => ({ length: [`Content-Length: ${body.length + 9}`] }), 'leaving'],
    ['half a head', () => ({ body: '', end: '\r\n', length: ['X: '] }), 'leaving'],
    coding('a coding that is none', 'xchunked'),
    coding('the coding identity', 'identity'),
    coding('two codings', 'gzip, chunked'),
    coding('chunks that are not last', 'chunked, identity'),
    coding('chunks behind a vertical tab', '\x0bchunked'),
    coding('two fields of codings', 'chunked', 'identity'),
    ['chunks in HTTP/1.0', (body) => ({ line: `POST ${PATH} HTTP/1.0`, length: CHUNKED, body: inChunk(body) })],
    chunks('a chunk size that is not a number', `zz\r\nB${END}`),
    chunks('a negative chunk size', `-N\r\nB${END}`),
    chunks('a chunk size with 0x', `0xN\r\nB${END}`),
    chunks('a chunk size before a space', `N \r\nB${END}`),
    chunks('a chunk size beyond 64 bits', `1000000000000000N\r\nB${END}`),
    chunks('an empty chunk size', `\r\nB${END}`),
    chunks('a chunk size that ends with LF', `N\nB${END}`),
    chunks('an extension that ends with LF', `N;a\nB${END}`),
    chunks('an extension without an end', `N;${'a'.repeat(100_000)}`),
    chunks('a chunk that is longer than it says', `5\r\nB${END}`),
    chunks('a chunk that something follows', 'N\r\nBXX0\r\n\r\n'),
    chunks('chunks without the last', 'N\r\nB\r\n', 'leaving'),
    field('a folded field', 'X: a\r\n b'),
    field('a space before the colon', 'X : a'),
    field('a space in a name', 'X Y: a'),
    field('no colon', 'XYZ'),
    field('no name', ': a'),
    field('NUL in a value', 'X: a\0b'),
    field('NUL in a name', 'X\0: a'),
    field('a control character in a value', 'X: a\x01b'),
    field('a lone CR', 'X: a\rY: b'),
    field('a lone LF', 'X: a\nY: b'),
    field('a head of 20 KB', `X: ${'a'.repeat(20_000)}`),
    field('250 fields', Array.from({ length: 250 }, (_, n) => `X${n}: a`).join('\r\n')),
    ['lines that end with LF', () => ({ end: '\n' })],
    host('no Host'),
    line('HTTP/0.9', 'POST PATH'),
    line('HTTP/1.2', 'POST PATH HTTP/1.2'),
    line('HTTP/2.0', 'POST PATH HTTP/2.0'),
    line('a version in lower case', 'POST PATH http/1.1'),
    line('a version with more', 'POST PATH HTTP/1.1x'),
    line('a method in lower case', 'post PATH HTTP/1.1'),
    line('a method that is none', 'FOO PATH HTTP/1.1'),
    line('two spaces', 'POST  PATH HTTP/1.1'),
    line('tabs', 'POST\tPATH\tHTTP/1.1'),
    line('a space in the path', 'POST PATH x HTTP/1.1'),
    line('NUL in the path', 'POST PATH\0 HTTP/1.1'),
    line('a control character in the path', 'POST PATH\x01 HTTP/1.1'),
    line('no slash', `POST ${PATH.slice(1)} HTTP/1.1`),
    line('backslashes', `POST ${PATH.replaceAll('/', '\\')} HTTP/1.1`),
    line('empty lines before it', '\r\n\r\nPOST PATH HTTP/1.1'),
    line('a line of a proxy before it', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nPOST PATH HTTP/1.1'),
    line('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nPOST PATH HTTP/1.1'),
  ],
  rejected: [
    length('a length that is too short', '5'),
    ['a request within a body', (body) => ({ body: goodRequest('', `within ${body}`).toString('latin1') })],
    host('two hosts', 'hub', 'other'),
    host('the same host twice', 'hub', 'hub'),
    host('a host with a path', 'hub/x'),
    field('two keys', 'Authorization: Bearer hub_live_other'),
    field('two types', 'Content-Type: text/plain'),
    line('a doubled slash', 'POST /PATH HTTP/1.1'),
    line('a path in another case', `POST ${PATH.toUpperCase()} HTTP/1.1`),
    line('an encoded letter', `POST ${PATH.replace('messages', '%6dessages')} HTTP/1.1`),
    line('a slash at the end', 'POST PATH/ HTTP/1.1'),
    line('bytes beyond ASCII in the path', 'POST PATH\xff HTTP/1.1'),
    ...['PUT PATH', 'CONNECT hub:80', 'TRACE PATH', 'PROPFIND PATH'].map((each) => line(each, `${each} HTTP/1.1`)),
  ],
  stored: [
    ['the same length twice', (body) => ({ length: Array(2).fill(trueLength(body)) })],
    coding('chunks in capitals', 'CHUNKED'),
    chunks('a chunk with an extension', `N;a=b\r\nB${END}`),
    field('a promise of HTTP/2', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c'),
    line('an absolute address', 'POST http://otherPATH HTTP/1.1'),
    line('HTTP/1.0', 'POST PATH HTTP/1.0'),
    line('dot segments', 'POST /api/x/../public/v1/messages HTTP/1.1'),
  ],
};

type RawCase = ReturnType<typeof rawCases>[number];

/** Returns raw requests with a key that can post. The items that they would create have the names of the cases. */
function rawCases(key: string) {
  return Object.entries(CASES).flatMap(([fate, cases]) =>
    cases.map(([name, make, isLeaving]) => {
      const body = JSON.stringify({ text: name });
      const bytes = request(key, { body, ...make(body) });
      return { name, fate: fate as Fate, bytes, isLeaving: isLeaving !== undefined };
    }),
  );
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
const goodRequest = (key: string, text: string): Buffer => request(key, { body: JSON.stringify({ text }) });

/** Sends every kind of malformed request, each followed by a valid one from another sender. */
async function proveMalformed({ none }: Proof, { admin, port }: HubServer): Promise<void> {
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
async function problemOfCase(port: number, { fate, bytes, isLeaving }: RawCase, behind: Buffer) {
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

await runProof({ limitSeconds: 120, counterProofs }, async (proof) => {
  const server = await new HubServer(join(proof.folder, 'malformed')).start();
  await proveMalformed(proof, server);
  await server.finish(proof);
});
