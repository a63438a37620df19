import { beforeEach, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

/** The body of a post: its type, JSON, fields, values and limits. */
const hub = shared(startTestHub);
const caller = shared(() => publicCaller(hub));
const PATH = '/api/public/v1/messages';
const utf8 = (text: string) => new TextEncoder().encode(text);

// A key can send 60 requests a minute.
beforeEach(() => hub.clock.advance(60_000));

test.each([
  ...['application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json; charset=UTF-8'],
  ...['application/json ; Charset="Utf-8"', 'application/json; charset=utf8', 'application/json;'],
  ...['application/json; version=1; charset=utf-8', 'application/vnd.hub.message+json'],
  'application/ld+json; charset=utf-8',
])('the Content-Type can be %s', async (contentType) => {
  expect((await caller.request(PATH, { contentType, body: { text: 'x' } })).status).toBe(201);
});

test.each([
  ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'json', '*/*', 'application/+json'],
  ...['multipart/form-data; boundary=application/json', 'application/jsonp', 'application/json-seq'],
  ...['application/json, application/json', 'application/json; charset=iso-8859-1'],
  ...['application/json; charset=utf-16', 'application/json; charset = utf-16', 'application/json; charset="utf-8'],
  'application/json; charset=utf-8; charset=latin1',
])('the Content-Type cannot be %s: 415 with the header to add', async (contentType) => {
  const response = await caller.request(PATH, { contentType, body: { text: 'x' } });
  expect(response.status).toBe(415);
  const { message } = await errorOf(response);
  expect(message).toContain('Add the header "Content-Type: application/json".');
  expect(message).toContain(contentType);
});

test.each(['gzip', 'br', 'gzip, identity', 'x'])('a post with Content-Encoding %s gets 415', async (encoding) => {
  const body = Bun.gzipSync(utf8('{"text":"x"}'));
  const response = await caller.request(PATH, { body, headers: { 'content-encoding': encoding } });
  expect(response.status).toBe(415);
  expect((await errorOf(response)).message).toContain(`The Content-Encoding ${encoding} is not supported`);
  const headers = { 'content-encoding': 'identity' };
  expect((await caller.request(PATH, { body: { text: 'x' }, headers })).status).toBe(201);
});

test.each([
  ['', /^The body is empty. Send a JSON object\.$/],
  ['{"text": "x"', /^The body is not valid JSON: /],
  ["{'text': 'x'}", /Single quotes/],
  ['{"text": "x"} {"text": "y"}', /unexpected content after the JSON value/],
  ['{"text": "a\nb"}', /line break inside a string as \\n/],
  ['{"text": NaN}', /not valid JSON/],
  [`{"text": ${'w'.repeat(100_000)}}`, /not valid JSON/],
  ['['.repeat(LIMITS.bodyBytes), /not valid JSON/],
])('a body that is not JSON in UTF-8 gets 400 with what is wrong: %.30j', async (body, message) => {
  const error = await caller.error('messages', utf8(body));
  expect(error).toMatch(message);
  expect(error.length).toBeLessThan(400);
});

test('a body that is not JSON in UTF-8 gets 400 for a byte that begins nothing, a character cut short, an overlong slash and a surrogate', async () => {
  for (const bytes of [[0xff], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80]]) {
    const body = Buffer.concat([utf8('{"text":"a'), Uint8Array.from(bytes), utf8('b"}')]);
    expect(await caller.error('messages', body)).toBe('The body is not valid UTF-8. Send JSON text encoded as UTF-8.');
  }
  await caller.error('messages', Buffer.from('\ufeff{"text":"x"}', 'utf16le'));
});

test.each([
  ['messages', 'text', ''],
  ['notes', 'content', ''],
  ['notes', 'title', '"content":"c",'],
  ['todos', 'title', ''],
  ['todos', 'content', '"title":"t",'],
] as const)(
  'a body that is not JSON in UTF-8 gets 400 with the field for a lone surrogate or a NUL in %s: %s',
  async (kind, field, required) => {
    const only = (value: string) => utf8(`{${required}"${field}":"a${value}b"}`);
    for (const surrogate of ['\\ud800', '\\udc00', '\\udc00\\ud800']) {
      expect(await caller.error(kind, only(surrogate))).toStartWith(`${field} contains a lone surrogate`);
    }
    expect(await caller.error(kind, only('\\u0000'))).toStartWith(`${field} contains a NUL character`);
  },
);

test.each([
  ['{"text":"\\ud83d\\ude00"}', '😀'],
  ['\ufeff{"text":"x"}', 'x'],
  ['\r\n {"text":"x"} \n', 'x'],
  ['{"text":"first","text":"last"}', 'last'],
])('a body that is not JSON in UTF-8 is not confused with %j', async (body, text) => {
  expect((await caller.stored('messages', utf8(body))).body).toBe(text);
});

test('a body that is not JSON in UTF-8 gets an ordinary error if it is nested half a million times', async () => {
  const nested = '['.repeat(500_000) + ']'.repeat(500_000);
  expect(await caller.error('messages', utf8(`{"text":${nested}}`))).toBe('text must be a string, not an array');
  expect(await caller.error('messages', utf8(nested))).toContain('must be a JSON object');
  expect(await caller.error('messages', utf8(`{"blocks":[{"type":"x","data":{"a":${nested}}}]}`))).toMatch(
    /^blocks\[0\]\.data.* is nested too deeply: depth \d+, and the limit is 8$/,
  );
});

test.each([
  ['todos', '{"title":"x","dueDte":"2026"}', 'dueDte is not a field of a to-do; did you mean dueDate?'],
  ['notes', '{"content":"x","body":"y"}', 'body is not a field of a note; its fields are title, content, files'],
  ['messages', '{"text":"x","title":null}', 'title is not a field of a message; its fields are text, blocks, files'],
  [
    'todos',
    '{"title":"x","dueDte":1,"prio":"HIGH"}',
    'dueDte (did you mean dueDate?) and prio (did you mean priority?) are not fields of a to-do; its fields are title, content, dueDate, priority, files',
  ],
  [
    'messages',
    '{"a1":1,"b2":1,"c3":1,"d4":1,"e5":1,"f6":1,"g7":1}',
    'a1, b2, c3, d4, e5 and 2 more are not fields of a message; its fields are text, blocks, files',
  ],
  [
    'messages',
    '{"__proto__":{"text":"x"}}',
    '__proto__ is not a field of a message; its fields are text, blocks, files',
  ],
] as const)('an unknown field gets 400 with its name: %s %s', async (kind, body, message) => {
  expect(await caller.error(kind, utf8(body))).toBe(message);
});

test('an unknown field gets 400 with its name, also for operations without fields, which accept an empty or missing body', async () => {
  const { id: keyId, hubId } = await hub.admin.issueKey();
  const entries = async () => (await hub.admin.audit('?limit=100')).items.length;
  for (const [method, path, noun] of [
    ['POST', `/keys/${keyId}/revocation`, 'a revocation'],
    ['DELETE', `/hubs/${hubId}`, 'a deletion'],
    ['POST', `/hubs/${hubId}/restoration`, 'a restoration'],
  ] as const) {
    const ask = async (body: string | null, type = 'application/json') => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const response = await hub.admin.fetch(`/api/v1${path}`, { method, headers, body });
      return `${response.status} ${((await response.json()) as { message?: string }).message}`;
    };
    const before = await entries();
    expect(await ask('{"inSeconds":60}')).toBe(`400 inSeconds is not a field of ${noun}, which has none`);
    expect(await ask('{"a":1,"b":2}')).toBe(`400 a and b are not fields of ${noun}, which has none`);
    for (const body of ['[]', '{']) expect(await ask(body)).toStartWith('400 ');
    expect(await entries()).toBe(before);
    for (const body of [null, '', '{}']) expect(await ask(body)).toStartWith('200 ');
    expect(await ask('', '')).toStartWith('200 ');
    expect(await entries()).toBe(before + 1);
  }
});

test.each([
  ['null', null],
  ['an empty string', ''],
  ['spaces, tabs and line breaks', ' \t\r\n\v\f'],
  ['Unicode spaces', '\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u0085\ufeff'],
  ['invisible characters', '\u200b\u200c\u200d\u2060\u2800\u3164\uffa0\u00ad\ufe0f\u202e\u{e0041}'],
])('values that are %s count as absent: 400 only if the field is required', async (_, blank) => {
  const todo = await caller.stored('todos', { title: 'x', content: blank, dueDate: blank, priority: blank });
  expect(todo).toMatchObject({ title: 'x', body: null, dueAt: null, priority: null });
  expect(await caller.stored('notes', { title: blank, content: 'x' })).toMatchObject({ title: null, body: 'x' });
  const message = await caller.stored('messages', { text: 'x', blocks: blank });
  expect(message).toMatchObject({ body: 'x', blocks: null });
  expect(await caller.error('todos', { title: blank })).toBe('title is required in a to-do; it cannot be blank');
  const note = await caller.error('notes', { content: blank, title: 'x' });
  expect(note).toBe('content is required in a note; it cannot be blank');
  expect(await caller.error('messages', { text: blank })).toContain('text, blocks or files');
});

test('values that are empty blocks, or blank text next to blocks, count as absent', async () => {
  expect(await caller.stored('messages', { text: 'x', blocks: [] })).toMatchObject({ body: 'x', blocks: null });
  for (const body of [{ blocks: [] }, { text: ' ', blocks: [] }]) {
    expect(await caller.error('messages', body)).toContain('text, blocks or files');
  }
  const blocks = [{ type: 'delimiter', data: {} }];
  const message = await caller.stored('messages', { text: ' ', blocks });
  expect(message).toMatchObject({ body: null, blocks: JSON.stringify(blocks) });
});

test('values that are required and missing get 400 with the name of the field', async () => {
  expect(await caller.error('messages', {})).toBe('A message requires text, blocks or files, and none can be empty');
  expect(await caller.error('notes', { title: 'x' })).toBe('content is required in a note');
  expect(await caller.error('todos', { content: 'x' })).toBe('title is required in a to-do');
});

test.each([
  [42, 'a number'],
  [false, 'false'],
  [{}, 'an object'],
  [['x'], 'an array'],
  [[], 'an array'],
])('values of the type of %j get 400', async (value, shown) => {
  const type = `must be a string, not ${shown}`;
  expect(await caller.error('messages', { text: value })).toBe(`text ${type}`);
  expect(await caller.error('notes', { content: 'x', title: value })).toBe(`title ${type}`);
  expect(await caller.error('todos', { title: 'x', content: value })).toBe(`content ${type}`);
  const priority = await caller.error('todos', { title: 'x', priority: value });
  expect(priority).toBe('priority must be one of LOW, MEDIUM, HIGH, URGENT');
});

test('a body that is no object gets 400', async () => {
  for (const body of ['[]', '"text"', '1', 'null', 'true', '[{"text":"x"}]']) {
    const message = await caller.error('messages', utf8(body));
    expect([body, message]).toEqual([body, 'The body must be a JSON object with the fields of a message']);
  }
});

test('a priority is one of four; another gets 400 with the nearest', async () => {
  for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'URGENT']) {
    expect((await caller.stored('todos', { title: 'x', priority })).priority).toBe(priority);
  }
  const error = (priority: string) => caller.error('todos', { title: 'x', priority });
  expect(await error('high')).toBe('priority must be one of LOW, MEDIUM, HIGH, URGENT; did you mean HIGH?');
  expect(await error('URGNT')).toEndWith('did you mean URGENT?');
  expect(await error('toString')).toBe('priority must be one of LOW, MEDIUM, HIGH, URGENT');
});

test.each([
  ['messages', 'text', 40_000, 'body', {}],
  ['notes', 'title', 255, 'title', { content: 'x' }],
  ['notes', 'content', 200_000, 'body', {}],
  ['todos', 'title', 255, 'title', {}],
  ['todos', 'content', 40_000, 'body', { title: 'x' }],
] as const)(
  'a limit is inclusive and never truncates: one more gets 400 with the limit and the size: %s: %s has %d characters',
  async (kind, field, limit, column, rest) => {
    for (const character of ['a', 'ü', '😀']) {
      const item = await caller.stored(kind, { ...rest, [field]: character.repeat(limit) });
      expect(item[column] === character.repeat(limit)).toBe(true);
      const error = await caller.error(kind, { ...rest, [field]: character.repeat(limit + 1) });
      expect(error).toBe(`${field} has ${limit + 1} characters; at most ${limit} are accepted`);
    }
  },
);

test('characters are code points: a family emoji has several, a combining accent is one', async () => {
  const title = '👩‍👩‍👧'.repeat(51);
  expect((await caller.stored('todos', { title })).title).toBe(title);
  expect(await caller.error('todos', { title: `${title}e` })).toContain('256 characters');
  expect(await caller.error('todos', { title: 'e\u0301'.repeat(128) })).toContain('256 characters');
});
