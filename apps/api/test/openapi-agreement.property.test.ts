import { expect, test } from 'bun:test';
import { isBlank } from '@hub/contract/blank-text';
import { pick, type Random, seeded } from '@hub/testkit';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf } from '@hub/testkit/in-process/users';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

/** The long form: `OPENAPI_REQUESTS=20000 bun test apps/api/test/openapi-agreement.property.test.ts --timeout 18000000`. */
const REQUESTS = Number(process.env.OPENAPI_REQUESTS ?? 500);
const SEED = 17;
/** Requests before a new server is started. By then, most of the content of the old one is deleted or disabled. */
const REQUESTS_PER_SERVER = 100;
const SECOND_MS = 1_000;
/** The fraction of requests that go to the public API: only a few of about a hundred operations, but the most used. */
const PUBLIC_SHARE = 0.25;
/** Percent-encoded: text, NUL, what is not UTF-8, a path. */
const ODD_PATHS = [
  'none',
  '-',
  '%F0%9F%91%8D',
  'a%00b',
  '%FF',
  'a%C3',
  '%ED%A0%80',
  '%',
  '..%2F..%2Fetc%2Fpasswd',
  "%22'%22",
];

/**
 * Error messages for rules that the document states in prose, because JSON Schema cannot express them: how fields
 * relate to each other, to stored data and to the time. With one of these messages, a 400 is correct even if the schema
 * accepts the request.
 */
const RULES_IN_TEXT = [
  /must be a valid date and time|^expiresAt is (in the past|more than 100 years away)|^This key would /,
  /^from must be before to|must be an e-mail address|cannot contain invisible characters/,
  /must not be the e-mail address|common password|too common|easy to guess|^The (current )?password is incorrect/,
  /^password is (required: confirm it to take a backup|only accepted with a session)/,
  /^(p256dh|auth|endpoint) must |^timeZone must be an IANA time zone|^toMinute must differ from fromMinute/,
  /is not a field of (a note|a setup|accepting an invitation|a password reset)[:;]/,
  /is required in (a setup|accepting an invitation)|^assigneeId must be the id of an active member/,
  /^This message has no text to use as a title|^before and after cannot be combined|^q contains no word/,
  /cannot be me: the local admin has no user account|^unread requires a user account/,
  /^The body is empty. Send the file|^files\[\d+\] .*(cannot be attached|is the same as)|^name (is required|cannot contain)/,
  /^question\.(choices|answerBy|expiresAt) must |^A question requires /,
  /^This link does not confirm an e-mail address|^Send secret and code for an authenticator app/,
  /^link is not an http or https address|is (itself )?a reply( and|\.)|^A reaction must be a single emoji|WebSocket handshake/,
];

/** Resolves a reference within the same document. */
const at = (root: JsonObject, ref: string): JsonObject =>
  (ref.slice(2).split('/') as string[]).reduce((object, part) => object[part] as JsonObject, root);
const resolved = (root: JsonObject, value: JsonObject): JsonObject =>
  typeof value.$ref === 'string' ? at(root, value.$ref) : value;

/**
 * Strings as produced by an editor, a shell or another program. Invisible characters are left out, since no schema can
 * check them.
 */
const WORDS = ['Release 2.4', 'grün', '日本語', '🙂', '**bold**', '<b>x</b>', "it's", 'a\nb', ' x ', '%', '0'];
const LINES = WORDS.filter((word) => !word.includes('\n'));
const BLANKS = ['', ' ', '\t\n', '\u00a0', '\u0085', '\u3000', '\ufeff'];
const DATE_TIMES = '2026-09-01T09:30:00Z 2027-03-01t09:30z 2026-12-31T23:59:60Z 2028-02-29T10:30:00.123456+01:00'.split(
  ' ',
);
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
function valueMaker(root: JsonObject, random: Random, known: Readonly<Record<string, Json>>) {
  /** Returns a value for a schema. It can still break rules between fields, which the caller checks. */
  function fitting(schema: JsonObject, name = ''): Json {
    const value = known[name];
    if (value !== undefined && random() < 0.85) return value;
    if (typeof schema.$ref === 'string') {
      return schema.$ref.endsWith('/Block')
        ? structuredClone(pick(random, BLOCKS))
        : fitting(at(root, schema.$ref), name);
    }
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return pick(random, schema.enum);
    // Any JSON is accepted: the examples, and the changes made to them, have the forms that the operation knows.
    if (schema.type === undefined && Array.isArray(schema.examples))
      return structuredClone(pick(random, schema.examples));
    if (schema.properties === undefined && Array.isArray(schema.anyOf)) {
      return fitting(pick(random, schema.anyOf as JsonObject[]), name);
    }
    const type = pick(random, [schema.type].flat());
    if (type === 'null') return null;
    if (type === 'boolean') return random() < 0.5;
    if (type === 'integer') return integer(schema);
    if (type === 'array') return array(schema);
    return type === 'object' ? object(schema) : text(schema);
  }

  function integer({ minimum = 0, maximum = 1_000 }: JsonObject): number {
    const [from, to] = [Number(minimum), Number(maximum)];
    return pick(random, [from, to, Math.min(to, from + 1), from + Math.floor(random() * (to - from))]);
  }

  function text({ pattern, format, maxLength = 40, minLength = 0 }: JsonObject): string {
    const choice = random();
    if (format === 'date-time' && choice < 0.8) return pick(random, DATE_TIMES);
    if (choice < 0.15) return pick(random, BLANKS);
    if (choice < 0.25) return '🙂'.repeat(Number(maxLength));
    const word = pick(random, String(pattern).includes('\\u001f') ? LINES : WORDS);
    return word.repeat(Math.ceil(Number(minLength) / Array.from(word).length) || 1);
  }

  function array({ items, maxItems = 3, minItems = 0, uniqueItems }: JsonObject): Json[] {
    const most = random() < 0.03 ? Number(maxItems) : Math.min(3, Number(maxItems));
    const length = Number(minItems) + Math.floor(random() * (most - Number(minItems) + 1));
    const values = Array.from({ length }, () => fitting(items as JsonObject));
    return uniqueItems === true ? [...new Set(values)] : values;
  }

  function object({ properties = {}, required = [] }: JsonObject): JsonObject {
    const share = pick(random, [0.2, 0.5, 0.9]);
    const fields = Object.entries(properties as Record<string, JsonObject>).filter(
      ([name]) => (required as string[]).includes(name) || random() < share,
    );
    return Object.fromEntries(fields.map(([name, schema]) => [name, fitting(schema, name)]));
  }

  /** Returns the value with one change, which usually violates the schema. */
  function mutated(value: Json): Json {
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
    else if (choice < 0.7) copy[name] = mutated(copy[name] ?? null);
    else copy[name] = pick(random, WRONG);
    return copy;
  }

  return { fitting, mutated };
}

/** Starts a server with one of everything that a path or a body can refer to, and with callers of each kind. */
async function startStockedHub() {
  const hub = await startTestHub({ web: null });
  const root = (await (await hub.fetch('/api/openapi.json')).json()) as JsonObject;
  const { id: keyId, key, hubId } = await hub.admin.issueKey();
  const owner = await memberOf(hub, hubId, { role: 'owner', name: 'Ada Lovelace' });
  const member = await memberOf(hub, hubId, { name: 'Bob Kahn' });
  const other = await signedIn(hub, { name: 'Cleo' });
  const token = await tokenOf(hub, owner.user);
  const make = async (path: string, body: object) =>
    (await member.json<{ id: string }>('POST', `/hubs/${hubId}/${path}`, body)).body.id;
  const firstOf = async (path: string) =>
    (await owner.json<{ items: { id: string }[] }>('GET', path)).body.items[0]?.id ?? '';
  const messageId = await make('messages', { text: 'Release @Ada Lovelace' });
  await post(hub, 'messages', key, { blocks: [{ type: 'paragraph', data: { text: 'posted' } }] });
  const invited = await hub.admin.request('POST /invitations', { body: { email: 'dora@example.org' } });
  const { id: removalId } = await hub.admin.request('POST /keys/{keyId}/removals', { keyId, body: {} });
  const ids: Record<string, string> = {
    ...{ hubId, keyId, messageId, itemId: messageId, before: messageId, after: messageId, upTo: messageId },
    ...{ removalId: removalId ?? '', invitationId: invited.id },
    ...{ userId: other.user.id, assigneeId: member.user.id, authorId: member.user.id, emoji: '👍' },
    noteId: await make('notes', { content: 'Changes' }),
    todoId: await make('todos', { title: 'Renew' }),
    tokenId: await firstOf('/me/tokens'),
    sessionId: await firstOf('/me/sessions'),
  };
  const known: Record<string, Json> = {
    ...ids,
    ...{ hubIds: [hubId], itemIds: [messageId], email: 'eve@example.org', timeZone: 'Europe/Berlin', q: 'release' },
    ...{ password: 'correct horse battery', newPassword: 'another battery of horses' },
    currentPassword: member.user.password,
    token: invited.link.split('#')[1] ?? '',
  };
  // In a Hub that no request refers to, so that no request deletes it.
  const { id: postsId } = await hub.admin.createHub('Posts');
  const { key: wide } = await hub.admin.issueKey({ hubId: postsId });
  const { key: narrow } = await hub.admin.issueKey({ hubId: postsId, scopes: ['messages:create'] });
  const callers = [owner, member, token, hub.admin].map((user) => user.fetch);
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, root, ids, known, callers, keys: [wide, wide, wide, narrow], [Symbol.asyncDispose]: dispose };
}

interface Operation {
  name: string;
  method: string;
  path: string;
  parameters: JsonObject[];
  body: JsonObject | null;
  /** Whether the body is not JSON. It is then left out, which the server says. */
  isFile: boolean;
  isBodyRequired: boolean;
  responses: JsonObject;
}

const operationsOf = (root: JsonObject): Operation[] =>
  Object.entries(root.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
      const { content, required } = (requestBody ?? {}) as { content?: Record<string, JsonObject>; required?: boolean };
      return {
        ...{ name: String(operationId), method: method.toUpperCase(), path, isBodyRequired: required === true },
        parameters: parameters as JsonObject[],
        body: (content?.['application/json']?.schema ?? null) as JsonObject | null,
        isFile: content !== undefined && !content['application/json'],
        responses: responses as JsonObject,
      };
    }),
  );

const agreement = {
  /** The differences between the document and the server, each with the request that shows it. */
  findings: [] as string[],
  /** How many requests got each status. */
  statuses: {} as Record<number, number>,
  /** Operations that succeeded at least once. */
  succeeded: new Set<string>(),
};
/** Validators by schema; the same for every server, since the document is the same. */
const validators = new Map<string, ValidateFunction>();

/** Sends requests generated from the document to a server, and checks each response against the document. */
async function checkServer(server: Awaited<ReturnType<typeof startStockedHub>>, random: Random, requests: number) {
  const { hub, root, ids, known, callers, keys } = server;
  const operations = operationsOf(root);
  const { fitting, mutated } = valueMaker(root, random, known);
  // In JSON Schema 2020-12, `format` is an annotation and is not validated.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(root, 'document');

  function fits(schema: JsonObject, value: Json): boolean {
    const source = JSON.stringify(schema);
    const validate = validators.get(source) ?? ajv.compile(JSON.parse(source.replaceAll('"#/', '"document#/')));
    validators.set(source, validate);
    return validate(value) as boolean;
  }

  const pathPart = (name: string): string =>
    ids[name] === undefined || random() < 0.1 ? pick(random, ODD_PATHS) : encodeURIComponent(ids[name]);

  /** Returns a query string. `isValid` is `null` if it has an unknown parameter, which the document does not cover. */
  function queryOf({ parameters }: Operation): { text: string; isValid: boolean | null } {
    if (random() < 0.05) return { text: 'unknown=1', isValid: null };
    const query = new URLSearchParams();
    let isValid = true;
    for (const { in: location, name, required, schema } of parameters as (JsonObject & { schema: JsonObject })[]) {
      if (location !== 'query') continue;
      if (random() < (required === true ? 0.05 : 0.7)) {
        if (required === true) isValid = false;
        continue;
      }
      const value = fitting(schema, String(name));
      const text = String(random() < 0.3 ? mutated(value) : value);
      query.append(String(name), text.toWellFormed());
      if (!fits(schema, schema.type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text)) isValid = false;
    }
    return { text: query.toString(), isValid };
  }

  function bodyOf({ body, isFile, isBodyRequired, method }: Operation): { sent: string | null; isValid: boolean } {
    if (isFile) return { sent: null, isValid: true };
    if (body === null) {
      const isSent = method !== 'GET' && random() < 0.1;
      return { sent: isSent ? JSON.stringify({ unknown: 1 }) : null, isValid: !isSent };
    }
    if (random() < 0.03) return { sent: null, isValid: !isBodyRequired };
    let value = fitting(body);
    while (random() < 0.4) value = mutated(value);
    const sent = JSON.stringify(value);
    return { sent, isValid: fits(body, JSON.parse(sent)) };
  }

  type Sent = [operation: Operation, isValid: boolean | null];
  function* differences([operation, isValid]: Sent, { status, headers }: Response, text: string): Generator<string> {
    const { statuses, succeeded } = agreement;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status >= 500) yield 'failed';
    if (status < 300) succeeded.add(operation.name);
    if (isValid === false && status < 300) yield 'accepted, though the document refuses it';
    if (isValid && status === 400) {
      const { message } = JSON.parse(text) as { message: string };
      if (!RULES_IN_TEXT.some((rule) => rule.test(message))) yield 'rejected, although the document accepts it';
    }
    const described = operation.responses[status] as JsonObject | undefined;
    if (described === undefined) return yield `the status ${status} is not listed`;
    const response = resolved(root, described);
    for (const [name, header] of Object.entries((response.headers ?? {}) as Record<string, JsonObject>)) {
      if (resolved(root, header).required === true && !headers.has(name)) yield `the header ${name} is missing`;
    }
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const media = ((response.content ?? {}) as Record<string, JsonObject>)[type];
    if (media === undefined) return yield `the type ${type} is not listed`;
    if (type === 'application/json' && !fits(media.schema as JsonObject, JSON.parse(text))) {
      yield 'the response does not fit its schema';
    }
  }

  for (let sent = 1; sent <= requests; sent += 1) {
    const isPost = random() < PUBLIC_SHARE;
    const possible = operations.filter(({ path }) => path.startsWith('/api/public/') === isPost);
    const operation = pick(random, possible);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name));
    const [query, body] = [queryOf(operation), bodyOf(operation)];
    const search = query.text === '' ? path : `${path}?${query.text}`;
    const hasType = operation.body !== null || body.sent !== null;
    const headers: Record<string, string> = hasType ? { 'content-type': 'application/json' } : {};
    const init: RequestInit = { method: operation.method, headers, body: body.sent };
    // Each request has its own address and time, so that none is slowed down or blocked because of another.
    hub.setClientAddress(`10.0.${sent >> 8}.${sent & 255}`);
    hub.clock.advance(2 * SECOND_MS);
    if (isPost) headers.authorization = `Bearer ${pick(random, keys)}`;
    const asked = isPost ? hub.fetch(search, init) : pick(random, callers)(search, init);
    const result = asked.then(async (response) => ({ response, text: await response.text() }));
    // The response to a wrong password is delayed, so the clock must advance, but not during a download: its reader
    // would seem to be gone.
    const isDownload = /\/(backups|export)$/.test(operation.path);
    const { response, text } = await (isDownload ? result : settleDelayed(hub.clock, result));
    const request = `${operation.name}: ${operation.method} ${search} ${String(body.sent).slice(0, 300)}`;
    const isValid = query.isValid === null ? null : query.isValid && body.isValid;
    const isStored = isPost && response.status === 201 && /\/(messages|notes|todos)$/.test(search);
    const findings = [...differences([operation, isValid], response, text)];
    if (isStored) findings.push(...(await storedOtherwise(hub, String(body.sent), text)));
    for (const finding of findings) {
      agreement.findings.push(`${finding}\n    ${request}\n    ${response.status} ${text.slice(0, 300)}`);
    }
  }
  return operations.length;
}

test('the server accepts and rejects what the OpenAPI document says, and responds as documented', async () => {
  let operations = 0;
  for (let done = 0; done < REQUESTS; done += REQUESTS_PER_SERVER) {
    await using server = await startStockedHub();
    operations = await checkServer(server, seeded(SEED + done), Math.min(REQUESTS_PER_SERVER, REQUESTS - done));
  }
  expect(agreement.findings).toEqual([]);
  // If everything or nothing was rejected, the test would prove nothing.
  expect(agreement.succeeded.size).toBeGreaterThan(operations / 2);
  expect(agreement.statuses[400]).toBeGreaterThan(50);
});

/** Names the fields of a post that are not stored as they were sent. */
async function storedOtherwise({ admin }: TestHub, sent: string, text: string): Promise<string[]> {
  const { data } = JSON.parse(text) as { data: { id: string } };
  const item = (await admin.request('GET /items/{itemId}', { itemId: data.id })) as unknown as JsonObject;
  const post = JSON.parse(sent) as JsonObject;
  return Object.entries(post).flatMap(([name, value]) => {
    const [wanted, have] = [isAbsent(value) ? null : value, item[name] ?? null];
    const isSame = name === 'dueDate' && wanted !== null ? typeof have === 'string' : Bun.deepEquals(have, wanted);
    return isSame ? [] : [`${name} is stored as ${JSON.stringify(have).slice(0, 80)}`];
  });
}

const isAbsent = (value: Json): boolean =>
  value === null || (typeof value === 'string' && isBlank(value)) || (Array.isArray(value) && value.length === 0);
