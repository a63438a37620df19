import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { LIMITS } from '@hub/contract/limits';
import { failureOf, isPending } from '@hub/testkit/concurrency';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { TEST_KEY, timedClient } from '../test/timed-client.ts';
import {
  HubClient,
  type HubClientOptions,
  HubConnectionError,
  HubTimeoutError,
  HubUsageError,
  withRunMarker,
} from './index.ts';

const text = { text: 'x' };
const silence = () => new Promise<Response>(() => {});

/** Returns a client on a clock and its server. Without a timeout, the only timers are those of waiting calls. */
function startTimed(options: Partial<HubClientOptions> = {}) {
  const server = startScriptedServer();
  const base = { baseUrl: server.url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  return { server, ...timedClient({ ...base, ...options }), [Symbol.asyncDispose]: server.stop };
}

/** Returns a client without pacing and its server. */
function startClient() {
  const server = startScriptedServer();
  const hub = new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false });
  return { server, hub, [Symbol.asyncDispose]: server.stop };
}

describe('a timeout', () => {
  test('ends a request without a response, reports that the post may exist, and does not retry', async () => {
    await using s = startTimed({ timeoutMs: 500 });
    s.server.respondWith(silence);
    const failure = failureOf(s.hub.messages.create(text));
    await s.server.received(1);
    s.clock.advance(499);
    expect(await isPending(failure)).toBe(true);
    s.clock.advance(1);
    // A client that retried would now wait, since the clock stands still.
    expect(await isPending(failure)).toBe(false);
    const error = await failure;
    expect(error).toBeInstanceOf(HubTimeoutError);
    expect(error).toBeInstanceOf(HubConnectionError);
    const message = expect.stringContaining('500 ms');
    expect(error).toMatchObject({ message, timeoutMs: 500, mayHaveCreated: true, kind: 'uncertain' });
    expect(s.server.requests).toHaveLength(1);
    expect(s.clock.sleeping).toBe(0);
  });

  test('set on a call overrides the one set on the client; the default is 30 s', async () => {
    await using s = startTimed({ timeoutMs: undefined });
    s.server.respondWith(silence);
    const short = failureOf(s.hub.messages.create(text, { timeoutMs: 10 }));
    const long = failureOf(s.hub.messages.create(text));
    await s.server.received(2);
    s.clock.advance(10);
    expect(await short).toMatchObject({ timeoutMs: 10 });
    s.clock.advance(29_990);
    expect(await long).toMatchObject({ timeoutMs: 30_000 });
  });
});

test('an abort ends the call even if fetch ignores the signal, and while it waits for the end of a block', async () => {
  const blocked = async () => errorResponse(403, undefined, { 'retry-after': '300' });
  for (const fetch of [silence, blocked]) {
    await using s = startTimed({ waitWhenBlocked: true, fetch });
    const controller = new AbortController();
    const failure = failureOf(s.hub.messages.create(text, { signal: controller.signal }));
    if (fetch === blocked) await s.clock.untilSleeping();
    controller.abort('enough');
    expect([await failure, s.clock.sleeping]).toEqual(['enough', 0]);
  }
});

test('waitWhenBlocked does not wait for a longer block, nor after a 403 that is none', async () => {
  await using s = startTimed({ waitWhenBlocked: 299_000 });
  for (const [response, error] of [
    [errorResponse(403, undefined, { 'retry-after': '300' }), { name: 'HubBlockedError', retryAfterSeconds: 300 }],
    [errorResponse(403), { name: 'HubScopeError' }],
    [new Response('no', { status: 403, headers: { 'retry-after': '1' } }), { name: 'HubApiError' }],
  ] as const) {
    s.server.respondWith(() => response);
    expect(await failureOf(s.hub.messages.create(text))).toMatchObject(error);
  }
  expect([s.server.requests.length, s.clock.sleeping]).toEqual([3, 0]);
});

test('pacing delays the 61st post, without counting the wait toward the timeout', async () => {
  const waits: unknown[] = [];
  await using s = startTimed({ timeoutMs: 1_000, onWait: (wait) => waits.push(wait) });
  const posts = Array.from({ length: 61 }, (_, index) => s.hub.messages.create({ text: `${index}` }));
  await Promise.all(posts.slice(0, 60));
  expect(s.server.requests).toHaveLength(60);
  expect(waits).toEqual([{ path: '/api/public/v1/messages', attempt: 1, reason: 'pacing', waitMs: undefined }]);
  s.clock.advance(60_049);
  expect(await isPending(posts[60] as Promise<unknown>)).toBe(true);
  s.clock.advance(1);
  expect((await posts[60])?.id).toBe('msg_1');
  expect(s.server.requests.at(-1)?.body).toBe('{"text":"60"}');
});

describe('a post', () => {
  test('is one POST request with a JSON body and the key only in the Authorization header', async () => {
    await using s = startClient();
    const input = { text: 'Grüße, **Welt**' };
    const posted = s.hub.messages.create(input);
    // It has the input as it was at the time of the call.
    input.text = 'after';
    await posted;
    const body = '{"text":"Grüße, **Welt**"}';
    expect(s.server.requests).toMatchObject([{ method: 'POST', path: '/api/public/v1/messages', body }]);
    const headers = [...(s.server.requests[0]?.headers ?? [])];
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^hub-client\/\d+\.\d+\.\d+$/),
    });
    const holdingKey = headers.filter(([, value]) => value.includes(TEST_KEY));
    expect(holdingKey).toEqual([['authorization', `Bearer ${TEST_KEY}`]]);
  });

  test('accepts a Date as dueDate, and rejects an invalid Date before anything is sent', async () => {
    await using s = startClient();
    await s.hub.todos.create({ title: 'Renew', dueDate: new Date('2026-03-01T10:30:00+01:00') });
    expect(JSON.parse(s.server.requests[0]?.body ?? '').dueDate).toBe('2026-03-01T09:30:00.000Z');
    const failure = s.hub.todos.create({ title: 'Renew', dueDate: new Date('soon') });
    await expect(failure).rejects.toThrow(new HubUsageError('dueDate is an invalid Date.'));
    await expect(s.hub.messages.create(undefined as never)).rejects.toBeInstanceOf(HubUsageError);
    expect(s.server.requests).toHaveLength(1);
  });

  test('does not upload what is no file or has no name', async () => {
    await using s = startClient();
    const upload = s.hub.files.upload as (...parameters: unknown[]) => Promise<unknown>;
    for (const input of [
      ['report.png', { name: 'report.png' }],
      [undefined, { name: 'report.png' }],
      [{ pipe: () => {} }, { name: 'report.png' }],
      [new Blob(['x']), {}],
      [new Blob(['x'])],
    ])
      await expect(upload(...input)).rejects.toBeInstanceOf(HubUsageError);
    expect(s.server.requests).toEqual([]);
  });

  test('has the key in no error, even if a proxy quotes the request in its page', async () => {
    await using s = startClient();
    s.server.respondWith(({ headers }) => {
      const page = `<h1>Bad gateway</h1><pre>${headers.get('authorization')}</pre>`;
      return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
    });
    const error = await s.hub.messages.create(text).catch((thrown) => thrown);
    expect(error.message).toContain('Bad gateway Bearer hub_live_…');
    expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain(TEST_KEY.slice(9));
  });
});

test('onRequest is called before each request, with the number of the attempt, and onResponse with its duration', async () => {
  const seen: string[] = [];
  await using s = startTimed({
    waitWhenBlocked: true,
    onRequest: ({ path, attempt }) => seen.push(`client: ${path} ${attempt}`),
    onResponse: ({ attempt, durationMs, statusCode }) => seen.push(`${attempt}: ${statusCode} after ${durationMs}`),
    onWait: ({ attempt, reason, waitMs }) => seen.push(`${attempt}: ${reason} for ${waitMs}`),
  });
  s.server.respondWith((_, number) => {
    s.clock.advance(250);
    return number === 1 ? errorResponse(403, undefined, { 'retry-after': '7' }) : created();
  });
  const onRequest: HubClientOptions['onRequest'] = ({ path, attempt }) => seen.push(`call: ${path} ${attempt}`);
  const posted = s.hub.notes.create({ content: 'x' }, { onRequest });
  await s.clock.untilSleeping();
  s.clock.advance(7_000);
  await posted;
  const path = '/api/public/v1/notes';
  expect(seen).toEqual([
    ...[`call: ${path} 1`, `client: ${path} 1`, '1: 403 after 250', '2: block for 7000'],
    ...[`call: ${path} 2`, `client: ${path} 2`, '2: 201 after 250'],
  ]);
});

test('a path prefix in baseUrl comes before the path of the API', async () => {
  await using s = startClient();
  const hub = new HubClient({ baseUrl: `${s.server.url}/team/hub/`, apiKey: TEST_KEY, userAgent: 'deploy-bot/2.1' });
  await hub.notes.create({ content: 'x' });
  expect(s.server.requests[0]?.path).toBe('/team/hub/api/public/v1/notes');
  expect(s.server.requests[0]?.headers.get('user-agent')).toMatch(/^deploy-bot\/2\.1 hub-client\//);
});

describe('withRunMarker', () => {
  test.each([
    ['Deployed.', 'Deployed.\n\n`run:build-4711`'],
    ['Deployed.\n\n', 'Deployed.\n\n`run:build-4711`'],
    ['', '`run:build-4711`'],
    ['  \n', '`run:build-4711`'],
    ['Deployed.\n\n`run:build-4711`', 'Deployed.\n\n`run:build-4711`'],
    ['`run:build-4711`\n', '`run:build-4711`'],
    ['see `run:build-4711`', 'see `run:build-4711`\n\n`run:build-4711`'],
  ])('converts %p to %p', (text, marked) => {
    expect(withRunMarker(text, 'build-4711')).toBe(marked);
  });

  test.each(['', ' ', 'two words', '-x', 'a`b', 'a\nb', 'ü', 'x'.repeat(101), 42, null])(
    'rejects the marker %p',
    (marker) => {
      expect(() => withRunMarker('Deployed.', marker as string)).toThrow(HubUsageError);
    },
  );
});

describe('the runMarker option', () => {
  test('adds the marker to the text of a message and the content of a note or to-do', async () => {
    await using s = startClient();
    const marked = { runMarker: 'r1' };
    const blocks = [{ type: 'delimiter', data: {} }];
    await s.hub.messages.create(text, marked);
    await s.hub.notes.create({ title: 't', content: 'x' }, marked);
    await s.hub.todos.create({ title: 't', content: 'x' }, marked);
    await s.hub.todos.create({ title: 't', content: null }, marked);
    await s.hub.messages.create({ text: 'plain', blocks }, marked);
    expect(s.server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { text: 'x\n\n`run:r1`' },
      { title: 't', content: 'x\n\n`run:r1`' },
      { title: 't', content: 'x\n\n`run:r1`' },
      { title: 't', content: '`run:r1`' },
      { text: 'plain', blocks: [...blocks, { type: 'paragraph', data: { text: '<code>run:r1</code>' } }] },
    ]);
    // The array of the caller stays as it was.
    expect(blocks).toHaveLength(1);
  });

  test('rejects an item before sending if the marker takes it over a limit, counted in code points', async () => {
    await using s = startClient();
    const marked = { runMarker: 'r1' };
    const markerCodePoints = '\n\n`run:r1`'.length;
    const fits = '😀'.repeat(LIMITS.messageTextCodePoints - markerCodePoints);
    await s.hub.messages.create({ text: fits }, marked);
    const long = { type: 'paragraph', data: { text: 'ü'.repeat(LIMITS.blocksBytes / 2 - 25) } };
    const tooLong = [
      s.hub.messages.create({ text: `${fits}x` }, marked),
      s.hub.notes.create({ content: 'x'.repeat(LIMITS.noteContentCodePoints) }, marked),
      s.hub.todos.create({ title: 't', content: 'x'.repeat(LIMITS.todoContentCodePoints) }, marked),
      s.hub.messages.create({ blocks: Array(LIMITS.blocks).fill({ type: 'delimiter', data: {} }) }, marked),
      s.hub.messages.create({ blocks: [long] }, marked),
    ];
    const errors = await Promise.all(tooLong.map(failureOf));
    for (const error of errors) expect(error).toBeInstanceOf(HubUsageError);
    expect(errors.map(String).join('\n')).toMatchInlineSnapshot(`
      "HubUsageError: With the run marker, text would have 40001 characters; the limit is 40000.
      HubUsageError: With the run marker, content would have 200010 characters; the limit is 200000.
      HubUsageError: With the run marker, content would have 40010 characters; the limit is 40000.
      HubUsageError: With the run marker, there would be 101 blocks; the limit is 100.
      HubUsageError: With the run marker, blocks would have 262194 bytes as JSON; the limit is 262144."
    `);
    expect(s.server.requests).toHaveLength(1);
  });
});
