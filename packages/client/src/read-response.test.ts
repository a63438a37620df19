import { afterAll, describe, expect, test } from 'bun:test';
import {
  HubApiError,
  HubAuthenticationError,
  HubBadRequestError,
  HubBlockedError,
  HubClient,
  HubError,
  HubNotFoundError,
  HubPayloadTooLargeError,
  HubRedirectError,
  HubScopeError,
  HubServerError,
  HubUnexpectedResponseError,
  HubUnsupportedMediaTypeError,
} from './index.ts';
import { errorResponse, startScriptedServer } from './testing/scripted-server.ts';
import { TEST_KEY } from './testing/test-key.ts';

const server = startScriptedServer();
afterAll(() => server.stop());
const hub = new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false });

/** The error of a message that is answered so; one request must have been sent, for nothing here may be repeated. */
async function errorOn<T extends HubError>(response: () => Response, kind: new (...args: never[]) => T): Promise<T> {
  server.respondWith(response);
  const before = server.requests.length;
  const error = await hub.messages.create({ text: 'x' }).catch((thrown) => thrown);
  expect(server.requests.length - before).toBe(1);
  expect(error).toBeInstanceOf(kind);
  return error;
}

describe('a refusal', () => {
  test.each([
    [400, HubBadRequestError, false],
    [401, HubAuthenticationError, false],
    [403, HubScopeError, false],
    [404, HubNotFoundError, false],
    [405, HubApiError, false],
    [413, HubPayloadTooLargeError, false],
    [415, HubUnsupportedMediaTypeError, false],
    [500, HubServerError, true],
    [503, HubServerError, true],
  ])('%d has its own class with all that the Hub said, and is not repeated', async (status, kind, mayHaveCreated) => {
    const error = await errorOn(() => errorResponse(status, {}, `Because of ${status}.`), kind);
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({
      name: kind.name,
      statusCode: status,
      message: `Because of ${status}.`,
      timestamp: '2026-03-01T09:30:00.000Z',
      path: '/api/public/v1/messages',
      requestId: 'req_1',
      mayHaveCreated,
    });
    expect(error).toBeInstanceOf(HubApiError);
    expect(error).toBeInstanceOf(HubError);
  });

  test('403 with Retry-After is a block, with the seconds that are left', async () => {
    const error = await errorOn(() => errorResponse(403, { 'retry-after': '123' }), HubBlockedError);
    expect(error.retryAfterSeconds).toBe(123);
    expect(error.mayHaveCreated).toBe(false);
  });

  test('403 with a Retry-After that is no number of seconds is not taken for a block', async () => {
    const error = await errorOn(
      () => errorResponse(403, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      HubScopeError,
    );
    expect(error.statusCode).toBe(403);
  });
});

describe('an answer that is no Hub', () => {
  const page =
    (status: number, body: string, headers: Record<string, string> = {}) =>
    () =>
      new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } });

  test('as a 502 page of a proxy gives its status and the beginning of its text', async () => {
    const html = `<html><head><style>h1 { color: red }</style></head><body><h1>502\n Bad Gateway</h1>${'long '.repeat(500)}`;
    const error = await errorOn(page(502, html, { 'x-request-id': 'edge-1' }), HubServerError);
    expect(error.statusCode).toBe(502);
    expect(error.message).toContain(`${server.url}/api/public/v1/messages answered 502`);
    expect(error.message).toContain('"502 Bad Gateway long');
    expect(error.message).toContain('…" (text/html)');
    expect(error.message).not.toContain('color');
    expect(error.message.length).toBeLessThan(500);
    expect(error).toMatchObject({ requestId: 'edge-1', path: '/api/public/v1/messages', mayHaveCreated: true });
    expect(Math.abs(Date.parse(error.timestamp) - Date.now())).toBeLessThan(60_000);
  });

  test('as a 404 of another server asks whether baseUrl is right', async () => {
    const error = await errorOn(page(404, 'Cannot POST'), HubNotFoundError);
    expect(error.message).toContain('does baseUrl lead to a Hub');
  });

  test('as a 403 of a firewall is neither a scope error nor a block', async () => {
    const error = await errorOn(page(403, 'Forbidden', { 'retry-after': '5' }), HubApiError);
    expect(error.constructor).toBe(HubApiError);
  });

  test.each([
    ['JSON that is null', 'null'],
    ['JSON of another form', '{"error":"nope"}'],
    ['the error of another status', JSON.stringify({ statusCode: 400, message: 'm', timestamp: 't', path: 'p' })],
    ['a field of another type', JSON.stringify({ statusCode: 500, message: 1, timestamp: 't', path: 'p' })],
    ['nothing', ''],
  ])('with 500 and %s is still a server error', async (_, body) => {
    const error = await errorOn(page(500, body, { 'content-type': 'application/json' }), HubServerError);
    expect(error.message).toContain('answered 500, not as a Hub does');
  });

  test('without end is read no further than needed', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16 * 1024).fill(97));
      },
    });
    await errorOn(() => new Response(endless, { status: 502 }), HubServerError);
    expect(pulled).toBeLessThan(1000);
  });

  test('with control characters is shown without them', async () => {
    const error = await errorOn(page(500, 'a\u001b[31mred\u0000\u0007b'), HubServerError);
    expect(error.message).toContain('"a [31mred b"');
  });
});

describe('success that is not as promised says that the post may have been created', () => {
  const good = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

  test.each([
    ['no JSON', 201, 'OK'],
    ['no data', 201, '{"success":true}'],
    ['data that is null', 201, '{"success":true,"data":null}'],
    ['success false', 201, JSON.stringify({ success: false, data: good })],
    ['no id', 201, JSON.stringify({ success: true, data: { ...good, id: undefined } })],
    ['the container of another kind', 201, JSON.stringify({ success: true, data: { ...good, conversationId: 7 } })],
    ['another status', 200, JSON.stringify({ success: true, data: good })],
    ['no body at all', 204, null],
  ])('%s', async (_, status, body) => {
    const headers = { 'x-request-id': 'req_9' };
    const error = await errorOn(() => new Response(body, { status, headers }), HubUnexpectedResponseError);
    expect(error).toMatchObject({ statusCode: status, requestId: 'req_9', mayHaveCreated: true });
    expect(error.message).toContain('The post may have been created');
  });

  test('but a field that a later version adds is passed on', async () => {
    server.respondWith(() => Response.json({ success: true, data: { ...good, url: 'https://x' } }, { status: 201 }));
    expect(await hub.messages.create({ text: 'x' })).toEqual({ ...good, url: 'https://x' } as typeof good);
  });
});

describe('a redirect is not followed', () => {
  const redirect = (location?: string) => () =>
    new Response(null, { status: 308, headers: location === undefined ? {} : { location } });

  test('and its error says which baseUrl to set', async () => {
    const target = 'https://user:s3cret@hub.example.com/team/api/public/v1/messages?token=s3cret#s3cret';
    const error = await errorOn(redirect(target), HubRedirectError);
    expect(error.location).toBe('https://hub.example.com/team/api/public/v1/messages');
    expect(error.message).toContain('set baseUrl to https://hub.example.com/team');
    expect(error.message).not.toContain('s3cret');
    expect(error).toMatchObject({ statusCode: 308, mayHaveCreated: false });
  });

  test('nor one to a sign-in page, a relative one or one to nowhere', async () => {
    const signIn = await errorOn(redirect('https://login.example.com/?next=1'), HubRedirectError);
    expect(signIn.message).toContain('https://login.example.com/');
    expect(signIn.message).toContain('at which the Hub itself answers');
    const relative = await errorOn(redirect('/hub/api/public/v1/messages'), HubRedirectError);
    expect(relative.message).toContain(`set baseUrl to ${server.url}/hub`);
    for (const location of [undefined, 'http://[', 'mailto:a@example.com']) {
      expect((await errorOn(redirect(location), HubRedirectError)).location).toBeUndefined();
    }
  });
});
