import { CreateMessageBody, CreateNoteBody, CreateTodoBody, type Item, LIMITS } from '@hub/contract';
import { POST_KINDS, type PostKind, type Proof, pick, type Random } from '@hub/testkit';
import { readFields } from '../../../apps/api/src/http/validate.ts';
import { parseDateTime } from '../../../apps/api/src/platform/time.ts';
import { type JsonLike, mutateBytes, mutateJson, textOf } from './mutate-json.ts';
import { type FuzzedRequest, mutateRequest } from './mutate-request.ts';
import type { FuzzSetup, KeyPool } from './setup.ts';
import { type Outcomes, responseProblem, type Wire, type WireResponse } from './wire.ts';

const BLOCKS: JsonLike = [
  { id: 'a', type: 'header', data: { text: 'Release <b>2.4</b>', level: 2 } },
  { type: 'list', data: { style: 'unordered', items: [{ content: 'one', meta: {}, items: [] }] } },
  { type: 'table', data: { withHeadings: true, content: [['a', 'b']] } },
  { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: 'x' } },
  { type: 'odd', data: { text: 'kept' } },
];
const BODIES: Record<PostKind, readonly JsonLike[]> = {
  messages: [{ text: '**Deploy** finished 🚀' }, { text: 'both', blocks: BLOCKS }, { blocks: BLOCKS }],
  notes: [{ title: 'Release 2.4', content: '## Changes\n\n- one' }, { content: 'x' }],
  todos: [
    { title: 'Renew', content: '*soon*', dueDate: '2026-03-14T17:00:00+01:00', priority: 'HIGH' },
    { title: 'Renew' },
  ],
};

const SCHEMAS = { messages: CreateMessageBody, notes: CreateNoteBody, todos: CreateTodoBody };

type Fields = Readonly<Record<string, unknown>>;

/** The acknowledged posts, by item ID. */
export type Acknowledged = Map<string, { kind: PostKind; fields: Fields }>;

/** Returns the fields of a body, or null if it must be rejected. The tests of `http/validate.ts` show its rules. */
function readPost(kind: PostKind, body: Buffer): Fields | null {
  if (body.length > LIMITS.bodyBytes) return null;
  try {
    const sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const fields = readFields(SCHEMAS[kind], sent, { noun: 'it' });
    return Object.keys(fields).length === 0 ? null : fields;
  } catch {
    return null;
  }
}

/** Sends a mutated post, and compares the response with what the validator says about the body alone. */
export async function fuzzPublic(
  random: Random,
  index: number,
  { wire, keys, outcomes, acknowledged }: { wire: Wire; keys: KeyPool; outcomes: Outcomes; acknowledged: Acknowledged },
): Promise<void> {
  const kind = pick(random, POST_KINDS);
  const key = await keys.take();
  const base = pick(random, BODIES[kind]);
  const choice = random();
  const body =
    choice < 0.5
      ? Buffer.from(textOf(mutateJson(random, base)))
      : choice < 0.75
        ? mutateBytes(random, textOf(base))
        : Buffer.from(textOf(base));
  const good: FuzzedRequest = {
    method: 'POST',
    path: `/api/public/v1/${kind}`,
    headers: [
      ['authorization', `Bearer ${key}`],
      ['content-type', 'application/json'],
      ['x-forwarded-for', addressOf(random)],
    ],
    body,
  };
  const request = choice < 0.75 ? good : mutateRequest(random, good);
  const response = await wire.send(request);
  outcomes.count(response.status);
  const problem = responseProblem(request, response) ?? postProblem({ request, response, good, kind, key });
  if (problem) outcomes.problem(index, problem, request);
  if (response.status !== 201) return;
  const fields = readPost(kind, body);
  const { data } = JSON.parse(response.body.toString()) as { data: { id: string } };
  if (fields) acknowledged.set(data.id, { kind, fields });
}

interface Checked {
  request: FuzzedRequest;
  response: WireResponse;
  good: FuzzedRequest;
  kind: PostKind;
  key: string;
}

function postProblem({ request, response: { status, body }, good, kind, key }: Checked): string | null {
  const post = readPost(kind, request.body ?? Buffer.alloc(0));
  if (status === 201) {
    if (!post) return '201, but the body must be refused';
    return request === good ? null : headProblem(request, kind, key);
  }
  if (request !== good) return null;
  if (status === 400 && post === null) return null;
  if (status === 413 && (request.body?.length ?? 0) > LIMITS.bodyBytes) return null;
  return `${status} ${body.toString('utf8', 0, 200)}, but ${post ? 'the post is good' : 'it must be 400'}`;
}

/** Returns why this request must not get a 201, whatever its body, or null if that depends on the body. */
function headProblem({ method, path, headers }: FuzzedRequest, kind: PostKind, key: string): string | null {
  if (method !== 'POST') return `201 to ${method}`;
  const { pathname } = new URL(`http://hub${path}`);
  if (pathname !== `/api/public/v1/${kind}`) return `201 at ${pathname}`;
  const shown = headers.filter(([name]) => name === 'authorization').map(([, value]) => value);
  if (shown.length !== 1 || !/^bearer +/i.test(shown[0] ?? '') || shown[0]?.slice(7).trim() !== key)
    return `201 with ${shown}`;
  const types = headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  if (
    types.length !== 1 ||
    !/^application\/([a-z.-]+\+)?json(\s*;\s*(charset=utf-8|application\/json)?)*$/i.test(types[0] ?? '')
  )
    return `201 with the type ${types}`;
  const isCoded = headers.some(([name, value]) => name === 'content-encoding' && value !== 'identity');
  return isCoded ? '201 with a compressed body' : null;
}

/** Returns a different address for each request, so that the failures of one request do not slow down others. */
export function addressOf(random: Random): string {
  return `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`;
}

/** Checks that the Hub contains exactly the posts that were acknowledged with 201, as they were sent. */
export async function checkStored(
  proof: Proof,
  { admin, posts }: FuzzSetup,
  acknowledged: Acknowledged,
  besides: (item: Item) => boolean,
) {
  const stored = new Map<string, Item>();
  for (const kind of POST_KINDS) {
    const items = await admin.all<Item>(`/hubs/${posts.id}/${kind}`);
    for (const item of items) if (!besides(item)) stored.set(item.id, item);
  }
  const lost = [...acknowledged.keys()].filter((id) => !stored.has(id));
  const strange = [...stored.values()].filter(({ id }) => !acknowledged.has(id));
  const changed = [...acknowledged].flatMap(([id, { kind, fields }]) => {
    const item = stored.get(id) as unknown as Record<string, unknown> | undefined;
    const problem = item && difference(kind, fields, item);
    return problem ? [`${id}: ${problem}`] : [];
  });
  proof.report(`${acknowledged.size} mutations made an item`);
  proof.check(
    'every post that returned 201 is stored',
    lost.length === 0 && acknowledged.size > 0,
    lost.slice(0, 3).join(),
  );
  proof.none(
    'nothing else is stored',
    strange.map((item) => JSON.stringify(item).slice(0, 200)),
  );
  proof.none('each is stored as sent', changed);
}

function difference(kind: PostKind, sent: Fields, item: Fields): string | null {
  const expected: Record<string, unknown> = { ...sent };
  if (sent.blocks !== undefined) delete expected.text;
  if (typeof sent.dueDate === 'string')
    expected.dueDate = new Date(parseDateTime(sent.dueDate) ?? Number.NaN).toISOString();
  const names = {
    messages: ['text', 'blocks'],
    notes: ['title', 'content'],
    todos: ['title', 'content', 'dueDate', 'priority'],
  }[kind];
  for (const name of names) {
    if (name === 'text' && sent.blocks !== undefined) continue;
    const [want, have] = [inOrder(expected[name] ?? null), inOrder(item[name] ?? null)];
    if (want !== have) return `${name} is ${have.slice(0, 80)}, not ${want.slice(0, 80)}`;
  }
  return null;
}

/** Returns JSON for comparisons that do not depend on the order of names. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
