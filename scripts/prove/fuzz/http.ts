import { CreateMessageBody, CreateNoteBody, CreateTodoBody, type Item, LIMITS } from '@hub/contract';
import {
  POST_KINDS,
  type PostKind,
  pick,
  problemOfError,
  type Random,
  type RawResponse,
  type RequestLoad,
} from '@hub/testkit';
import { readFields } from '../../../apps/api/src/http/validate.ts';
import { parseDateTime } from '../../../apps/api/src/platform/time.ts';
import { type FuzzedRequest, mutateBytes, mutateJson, mutateRequest } from './mutations.ts';

function bytesOf({ method, path, headers, body }: FuzzedRequest): Buffer {
  const length = body === null ? [] : [`content-length: ${body.length}`];
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, 'host: hub', ...fields, ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

/** Describes what is wrong with the form of a response to any request; null: nothing. */
function problemOfForm(request: FuzzedRequest, response: RawResponse | null): string | null {
  if (!response) return 'no response';
  const { status, body } = response;
  if (status >= 500) return `${status} ${body.slice(0, 300)}`;
  const requestId = response.header('x-request-id');
  // Bun itself rejects invalid HTTP and heads that are too long, before the server sees a request.
  if (body === '' && requestId === null && (status === 400 || status === 431))
    return isOddHttp(request) ? null : `a bare ${status}`;
  if (!/^req_[0-9A-Z]{26}$/.test(requestId ?? '')) return `${status} without X-Request-Id`;
  if (status < 400 || request.method === 'HEAD') return null;
  if (response.header('content-type')?.startsWith('text/html'))
    return request.path.startsWith('/api/') ? `${status} as HTML` : null;
  const problem = problemOfError(status, body);
  if (problem) return problem;
  const { path, message } = JSON.parse(body) as { path: string; message: string };
  // The URL standard removes the query and dot segments.
  const sent = new URL(`http://hub${Buffer.from(request.path, 'latin1').toString('utf8')}`).pathname;
  if (message.length < 10 || message.length > 1_000) return `${status} says "${message}"`;
  return path === sent ? null : `${status} says the path ${path}, not ${sent}`;
}

function isOddHttp({ path, headers }: FuzzedRequest): boolean {
  const size = path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return size > 10_000 || /[^\x21-\x7e]/.test(path) || headers.some(([, value]) => /[^\x20-\x7e\t]/.test(value));
}

/** Returns a different address for each request, so that the failures of one request do not slow down others. */
const addressOf = (random: Random): string => `10.${[0, 0, 0].map(() => Math.floor(random() * 256)).join('.')}`;

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
const FIELDS: Record<PostKind, readonly string[]> = {
  messages: ['text', 'blocks'],
  notes: ['title', 'content'],
  todos: ['title', 'content', 'dueDate', 'priority'],
};

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

/** Sends a post with a mutated body or head, and returns the status of the response. */
export async function fuzzPost(random: Random, index: number, fuzz: PostFuzz): Promise<number> {
  const kind = pick(random, POST_KINDS);
  const key = await fuzz.takeKey();
  const base = JSON.stringify(pick<object>(random, POSTS[kind]));
  const choice = random();
  const good: FuzzedRequest = {
    method: 'POST',
    path: `/api/public/v1/${kind}`,
    headers: [
      ['authorization', `Bearer ${key}`],
      ['content-type', 'application/json'],
      ['x-forwarded-for', addressOf(random)],
    ],
    body: Buffer.from(base),
  };
  const mutate = (): FuzzedRequest => {
    if (choice < 0.5) return { ...good, body: Buffer.from(mutateJson(random, base)) };
    if (choice < 0.75) return { ...good, body: mutateBytes(random, base) };
    return choice < 0.95 ? mutateRequest(random, good) : good;
  };
  const request = mutate();
  const [sent] = await fuzz.load.send(fuzz.port, [bytesOf(request)]).catch(() => []);
  const response = sent?.response ?? null;
  const status = response?.status ?? 0;
  let problem = problemOfForm(request, response);
  const fields = readPost(kind, request.body ?? Buffer.alloc(0));
  const hasGoodHead = request.headers === good.headers && request.path === good.path && request.method === 'POST';
  if (fields && hasGoodHead && status !== 201) problem ??= `${status}, although the post is valid`;
  if (status === 201 && response) {
    if (fields)
      fuzz.acknowledged.set((JSON.parse(response.body) as { data: { id: string } }).data.id, { kind, fields });
    problem ??= fields ? problemOfHead(request, kind, key) : '201, although the body is invalid';
  }
  const shown = JSON.stringify(bytesOf(request).toString('latin1').slice(0, 700));
  if (problem) fuzz.problems.push(`#${index}: ${problem}\n       ${shown}`);
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

/** Returns why this request must not get a 201, whatever its body; null: it may. */
function problemOfHead({ method, path, headers }: FuzzedRequest, kind: PostKind, key: string): string | null {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const { pathname } = new URL(`http://hub${path}`);
  if (method !== 'POST' || pathname !== `/api/public/v1/${kind}`) return `201 to ${method} ${pathname}`;
  const [credential = '', ...more] = valuesOf('authorization');
  const isOurs = /^bearer +/i.test(credential) && credential.slice(7).trim() === key;
  if (!isOurs || more.length > 0) return `201 with ${valuesOf('authorization')}`;
  const types = valuesOf('content-type');
  const isJson = /^application\/([a-z.-]+\+)?json(\s*;\s*(charset=utf-8|application\/json)?)*$/i.test(types[0] ?? '');
  if (!isJson || types.length > 1) return `201 with the type ${types}`;
  return valuesOf('content-encoding').some((value) => value !== 'identity') ? '201 with a compressed body' : null;
}

/** Describes how a stored item differs from the fields that were sent; null if it does not. */
export function differenceFrom(fields: Readonly<Record<string, unknown>>, kind: PostKind, item: Item): string | null {
  for (const name of FIELDS[kind]) {
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
