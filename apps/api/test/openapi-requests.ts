import { pick, type Random } from '@hub/testkit';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf } from '@hub/testkit/in-process/users';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Resolves a reference within the same document. */
export function at(root: JsonObject, ref: string): JsonObject {
  return ref
    .slice(2)
    .split('/')
    .reduce((object, part) => object[part] as JsonObject, root);
}

/**
 * Strings as produced by an editor, a shell or another program. Invisible characters are left out, since no schema can
 * check them.
 */
const WORDS = ['Release 2.4', 'grün', '日本語', '🙂', '**bold**', '<b>x</b>', "it's", 'a\nb', ' x ', '%', '0'];
const LINES = WORDS.filter((word) => !word.includes('\n'));
const BLANKS = ['', ' ', '\t\n', '\u00a0', '\u0085', '\u3000', '\ufeff'];
const DATE_TIMES = [
  '2026-09-01T09:30:00Z',
  '2027-03-01t09:30z',
  '2026-12-31T23:59:60Z',
  '2028-02-29T10:30:00.123456+01:00',
];
const WRONG: readonly Json[] = [
  ...[null, true, false, 0, 1, -1, 7, 1.5, 1e15, '', ' ', 'x', '\0', 'a\0b', '2026-02-31T00:00:00Z', '2026-03-01'],
  ...['tomorrow', '2026-03-01T09:30', 'HIGH', 'high', 'todo', [], {}, [null], ['x'], ['x', 'x'], [[]], { x: 1 }],
  ...['\u0007', '\u202eabc', 'a\u200bb', 'a\u200db', 'a'.repeat(65), 'a'.repeat(256), ...BLANKS],
];
const BLOCKS: readonly Json[] = [
  { type: 'paragraph', data: { text: 'Hello <b>there</b>' } },
  { id: 'a1', type: 'header', data: { text: 'Title', level: 2 }, tunes: null },
  { type: 'list', data: { style: 'unordered', items: ['a', { content: 'b', items: [{ content: 'c' }] }] } },
  { type: 'image', data: { file: { url: 'https://example.org/a.png' }, caption: null } },
  { type: 'poll', data: { options: [1, 'two', { three: null }] } },
];

/** Generates values for the schemas of the document. `known` has values by name, such as ids of existing items. */
export class ValueMaker {
  readonly #root: JsonObject;
  readonly #random: Random;
  readonly #known: Readonly<Record<string, Json>>;

  constructor(root: JsonObject, random: Random, known: Readonly<Record<string, Json>>) {
    this.#root = root;
    this.#random = random;
    this.#known = known;
  }

  /** Returns a value for a schema. It can still break rules between fields, which the caller checks. */
  fitting(schema: JsonObject, name = ''): Json {
    const known = this.#known[name];
    if (known !== undefined && this.#random() < 0.85) return known;
    if (typeof schema.$ref === 'string') return this.#referenced(schema.$ref, name);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return pick(this.#random, schema.enum);
    // Any JSON is accepted: the examples, and the changes made to them, have the forms that the operation knows.
    if (schema.type === undefined && Array.isArray(schema.examples)) {
      return structuredClone(pick(this.#random, schema.examples));
    }
    if (schema.properties === undefined && Array.isArray(schema.anyOf)) {
      return this.fitting(pick(this.#random, schema.anyOf as JsonObject[]), name);
    }
    switch (pick(this.#random, [schema.type].flat())) {
      case 'null':
        return null;
      case 'boolean':
        return this.#random() < 0.5;
      case 'integer':
        return this.#integer(schema);
      case 'array':
        return this.#array(schema);
      case 'object':
        return this.#object(schema);
      default:
        return this.#text(schema);
    }
  }

  /** Returns the value with one change, which usually violates the schema. */
  mutated(value: Json): Json {
    const random = this.#random;
    if (typeof value !== 'object' || value === null || random() < 0.05) return pick(random, WRONG);
    const copy = structuredClone(value);
    if (Array.isArray(copy)) {
      if (copy.length === 0 || random() < 0.3) copy.push(pick(random, WRONG));
      else copy[Math.floor(random() * copy.length)] = pick(random, WRONG);
      return copy;
    }
    const names = Object.keys(copy);
    const name = pick(random, names.length === 0 ? ['x'] : names);
    const choice = random();
    if (choice < 0.15) delete copy[name];
    else if (choice < 0.25) copy[`${name}x`] = 'x';
    else if (choice < 0.35 && typeof copy[name] === 'string') copy[name] += pick(random, ['x', 'x'.repeat(200_001)]);
    else if (choice < 0.55) copy[name] = pick(random, [null, ...BLANKS]);
    else if (choice < 0.7) copy[name] = this.mutated(copy[name] ?? null);
    else copy[name] = pick(random, WRONG);
    return copy;
  }

  #referenced(ref: string, name: string): Json {
    if (ref.endsWith('/Block')) return structuredClone(pick(this.#random, BLOCKS));
    return this.fitting(at(this.#root, ref), name);
  }

  #integer({ minimum = 0, maximum = 1_000 }: JsonObject): number {
    const [from, to] = [Number(minimum), Number(maximum)];
    return pick(this.#random, [from, to, Math.min(to, from + 1), from + Math.floor(this.#random() * (to - from))]);
  }

  #text({ pattern, format, maxLength = 40, minLength = 0 }: JsonObject): string {
    const choice = this.#random();
    const limit = Number(maxLength);
    if (format === 'date-time' && choice < 0.8) return pick(this.#random, DATE_TIMES);
    const source = String(pattern);
    if (choice < 0.15) return pick(this.#random, BLANKS);
    if (choice < 0.25) return '🙂'.repeat(limit);
    const text = pick(this.#random, source.includes('\\u001f') ? LINES : WORDS);
    return text.repeat(Math.ceil(Number(minLength) / Array.from(text).length) || 1);
  }

  #array({ items, maxItems = 3, minItems = 0, uniqueItems }: JsonObject): Json[] {
    const most = this.#random() < 0.03 ? Number(maxItems) : Math.min(3, Number(maxItems));
    const length = Number(minItems) + Math.floor(this.#random() * (most - Number(minItems) + 1));
    const values = Array.from({ length }, () => this.fitting(items as JsonObject));
    return uniqueItems === true ? [...new Set(values)] : values;
  }

  #object({ properties = {}, required = [] }: JsonObject): JsonObject {
    const share = pick(this.#random, [0.2, 0.5, 0.9]);
    const names = Object.keys(properties as JsonObject).filter(
      (name) => (required as string[]).includes(name) || this.#random() < share,
    );
    return Object.fromEntries(
      names.map((name) => [name, this.fitting((properties as Record<string, JsonObject>)[name] ?? {}, name)]),
    );
  }
}

interface Caller {
  send: (path: string, init: RequestInit) => Promise<Response>;
}

/** Starts a server with one of everything that a path or a body can refer to, and with callers of each kind. */
export async function startStockedHub() {
  const hub = await startTestHub({ web: null });
  const root = (await (await hub.fetch('/api/openapi.json')).json()) as JsonObject;
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId, key } = await hub.admin.issueKey({ hubId });
  const owner = await memberOf(hub, hubId, { role: 'owner', name: 'Ada Lovelace' });
  const member = await memberOf(hub, hubId, { name: 'Bob Kahn' });
  const other = await signedIn(hub, { name: 'Cleo' });
  const make = async (path: string, body: object) =>
    (await member.json<{ id: string }>('POST', `/hubs/${hubId}/${path}`, body)).body.id;
  const messageId = await make('messages', { text: 'Release @Ada Lovelace' });
  await post(hub, 'messages', key, { blocks: [{ type: 'paragraph', data: { text: 'posted' } }] });
  const invitation = await hub.admin.raw('POST', '/invitations', { email: 'dora@example.org' });
  const { id: invitationId, link } = (await invitation.json()) as { id: string; link: string };
  const removal = await hub.admin.raw('POST', `/keys/${keyId}/removals`, {});
  const token = await tokenOf(hub, owner.user);
  const { body: tokens } = await owner.json<{ items: { id: string }[] }>('GET', '/me/tokens');
  const { body: sessions } = await member.json<{ items: { id: string }[] }>('GET', '/me/sessions');
  const ids: Record<string, string> = {
    hubId,
    keyId,
    messageId,
    itemId: messageId,
    noteId: await make('notes', { content: 'Changes' }),
    todoId: await make('todos', { title: 'Renew' }),
    userId: other.user.id,
    assigneeId: member.user.id,
    invitationId,
    removalId: ((await removal.json()) as { id: string }).id,
    tokenId: tokens.items[0]?.id ?? '',
    sessionId: sessions.items[0]?.id ?? '',
    emoji: '👍',
    before: messageId,
    after: messageId,
    authorId: member.user.id,
    upTo: messageId,
  };
  const known: Record<string, Json> = {
    ...ids,
    hubIds: [hubId],
    itemIds: [messageId],
    email: 'eve@example.org',
    password: 'correct horse battery',
    newPassword: 'another battery of horses',
    currentPassword: member.user.password,
    token: link.split('#')[1] ?? '',
    timeZone: 'Europe/Berlin',
    q: 'release',
  };
  const callers: Caller[] = [owner, member, token].map((user) => ({ send: user.fetch }));
  callers.push({ send: (path, init) => fetch(`http://localhost${path}`, { ...init, unix: hub.socketPath }) });
  // In a Hub that no request refers to, so that no request deletes it.
  const { id: postsId } = await hub.admin.createHub('Posts');
  const { key: wide } = await hub.admin.issueKey({ hubId: postsId });
  const { key: narrow } = await hub.admin.issueKey({ hubId: postsId, scopes: ['messages:create'] });
  return {
    hub,
    root,
    ids,
    known,
    callers,
    keys: [wide, wide, wide, narrow],
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

export type StockedHub = Awaited<ReturnType<typeof startStockedHub>>;
