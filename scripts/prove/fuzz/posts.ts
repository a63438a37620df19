import { CreateMessageBody, CreateNoteBody, CreateTodoBody, type Item, LIMITS } from '@hub/contract';
import {
  idOf,
  POST_KINDS,
  type PostKind,
  pick,
  problemOfError,
  type Random,
  type RequestLoad,
  rawHead,
} from '@hub/testkit';
import { readFields } from '../../../apps/api/src/http/validate.ts';
import { parseDateTime } from '../../../apps/api/src/platform/time.ts';

const BLOCKS = [
  { id: 'a', type: 'header', data: { text: 'Release <b>2.4</b>', level: 2 } },
  { type: 'list', data: { style: 'unordered', items: [{ content: 'one', meta: {}, items: [] }] } },
  { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: 'x' } },
  { type: 'odd', data: { text: 'kept' } },
];
const POSTS: Record<PostKind, readonly object[]> = {
  messages: [{ text: '**Deploy** finished 🚀' }, { text: 'both', blocks: BLOCKS }, { blocks: BLOCKS }],
  notes: [{ title: 'Release 2.4', content: '## Changes\n\n- one' }, { content: 'x' }],
  todos: [
    { title: 'Renew', content: '*soon*', dueDate: '2026-03-14T17:00:00+01:00', priority: 'HIGH' },
    { title: 'Renew' },
  ],
};
const SCHEMAS = { messages: CreateMessageBody, notes: CreateNoteBody, todos: CreateTodoBody };

/** JSON texts that users, templates and attackers send instead of valid values; some have no equivalent value. */
const ODD: readonly ((random: Random) => string)[] = [
  ...['null', 'true', '0', '-1', '-0', '1e400', '123456789012345678901234567890', '0.1e-400', '[]', '{}', '""'],
  ...['[[[[[[[[[[]]]]]]]]]]', '"\\ud800"', '"a\\udc00b"', '"\\u0000"', '"\\uD83D\\uDE00"', '"\\u202e\\u2066x"'],
  ...['" \\t\\u0085\\ufeff"', '"__proto__"', '"2026-02-31T00:00:00Z"', '"2026-03-01T09:30:60.9999999999999+23:59"'],
]
  .map(
    (text) =>
      (_: Random): string =>
        text,
  )
  .concat([
    (random) => JSON.stringify(pick(random, ['x', 'é', '😀', '\n', '[']).repeat(pick(random, [1, 255, 256, 40_001]))),
    (random) => JSON.stringify(Array(pick(random, [1, 100, 101, 1_001])).fill('x')),
    (random) => '['.repeat(pick(random, [50, 5_000])) + ']'.repeat(5_000),
    (random) => JSON.stringify(String.fromCharCode(...Array.from({ length: 8 }, () => random() * 65_536))),
  ]);
const NAMES = ['__proto__', 'constructor', 'id', 'text', 'content', 'title', 'Text', ' text', '', 'hubId', 'ſtatus'];

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const NAME = new RegExp(`${STRING}(?=:)`, 'g');
const VALUE = new RegExp(`(?<=[:,[])(?:${STRING}|-?\\d[\\d.]*|true|false|null)(?=[,\\]}])`, 'g');

/** Changes the text of an object in a few places. Most results are still JSON. */
function mutateJson(random: Random, text: string): string {
  const odd = (): string => pick(random, ODD)(random);
  const name = (): string => JSON.stringify(pick(random, NAMES));
  let changed = text;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const pattern = pick(random, [VALUE, VALUE, NAME]);
    const matches = [...changed.matchAll(pattern)];
    if (matches.length === 0) continue;
    const { 0: match, index } = pick(random, matches);
    // A second member of a name replaces the first, whatever that is.
    const replaced = pattern === VALUE ? odd() : pick(random, [name(), `${match}:${odd()},${match}`]);
    changed = changed.slice(0, index) + replaced + changed.slice(index + match.length);
  }
  return changed;
}

/** Mutates bytes: cuts, flips, inserts and doubles them, and adds what editors and shells put around JSON. */
function mutateBytes(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = Math.floor(random() * (bytes.length + 1));
  const [start, end] = [bytes.subarray(0, at), bytes.subarray(at)];
  const some = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * 256)));
  return pick(random, [
    () => start,
    () => Buffer.concat([start, some, end]),
    () => Buffer.concat([start, some, end.subarray(some.length)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([Buffer.from(pick(random, ['\ufeff', '\ufeff\ufeff'])), bytes]),
    () => Buffer.concat([bytes, Buffer.from(pick(random, ['\n', '\0', ',', ' ', '}', '//', '\r\n\r\n']))]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.alloc(0),
    () => Buffer.concat([start, Buffer.from([0xed, 0xa0, 0x80]), end]),
    () => Buffer.concat([bytes, Buffer.alloc(LIMITS.bodyBytes + 1 - Math.min(bytes.length, 100), ' ')]),
  ])();
}

/** The acknowledged posts, by the id of the item. */
export type Acknowledged = Map<string, { readonly kind: PostKind; readonly fields: Readonly<Record<string, unknown>> }>;

interface PostFuzz {
  readonly load: RequestLoad;
  readonly port: number;
  /** Returns a key that is below its limit. */
  readonly takeKey: () => Promise<string>;
  readonly problems: string[];
  readonly acknowledged: Acknowledged;
}

/** Sends a post with a mutated body, and returns the status of the response. */
export async function fuzzPost(random: Random, index: number, fuzz: PostFuzz): Promise<number> {
  const kind = pick(random, POST_KINDS);
  const base = JSON.stringify(pick<object>(random, POSTS[kind]));
  const choice = random();
  const json = choice < 0.6 ? mutateJson(random, base) : base;
  const body = choice < 0.5 || choice > 0.95 ? Buffer.from(json) : mutateBytes(random, json);
  const head = rawHead(
    ...[`POST /api/public/v1/${kind} HTTP/1.1`, 'Host: hub', `Authorization: Bearer ${await fuzz.takeKey()}`],
    ...['Content-Type: application/json', `Content-Length: ${body.length}`],
  );
  const [sent] = await fuzz.load.send(fuzz.port, [Buffer.concat([Buffer.from(head), body])]).catch(() => []);
  const response = sent?.response;
  const status = response?.status ?? 0;
  const fields = readPost(kind, body);
  let problem: string | null = null;
  if (!response) problem = 'no response';
  else if (!/^req_[0-9A-Z]{26}$/.test(response.header('x-request-id') ?? ''))
    problem = `${status} without X-Request-Id`;
  else if ((status === 201) !== (fields !== null)) problem = `${status}, and the post is ${fields ? '' : 'in'}valid`;
  else if (fields) fuzz.acknowledged.set(idOf(response), { kind, fields });
  else problem = status < 500 ? problemOfError(status, response.body) : `${status} ${response.body.slice(0, 300)}`;
  if (problem) fuzz.problems.push(`#${index}: ${problem}\n       ${body.toString('latin1').slice(0, 700)}`);
  return status;
}

/** Returns the fields of a body, or null if it must be rejected. The tests of `http/validate.ts` show its rules. */
function readPost(kind: PostKind, body: Buffer): Readonly<Record<string, unknown>> | null {
  if (body.length > LIMITS.bodyBytes) return null;
  try {
    const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const fields = readFields(SCHEMAS[kind], sent, { noun: 'it' });
    return Object.keys(fields).length === 0 ? null : fields;
  } catch {
    return null;
  }
}

/** Describes how a stored item differs from the fields that were sent; null if it does not. */
export function differenceFrom(fields: Readonly<Record<string, unknown>>, kind: PostKind, item: Item): string | null {
  for (const name of Object.keys(SCHEMAS[kind].properties)) {
    if (name === 'text' && fields.blocks !== undefined) continue;
    const value = fields[name] ?? null;
    const have = (item as unknown as Record<string, unknown>)[name] ?? null;
    const want =
      name === 'dueDate' && value !== null ? new Date(parseDateTime(String(value)) ?? 0).toISOString() : value;
    // As JSON, since JSON has no -0.
    if (!Bun.deepEquals(have, JSON.parse(JSON.stringify(want))))
      return `${name} is ${JSON.stringify(have).slice(0, 80)}, not ${JSON.stringify(want).slice(0, 80)}`;
  }
  return null;
}
