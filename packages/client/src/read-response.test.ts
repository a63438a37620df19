import { afterAll, describe, expect, test } from 'bun:test';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { TEST_KEY } from '../test/timed-client.ts';
import * as client from './index.ts';

const server = startScriptedServer();
afterAll(() => server.stop());
const hub = new client.HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false });

/** The fields in which an error of a Hub server says where it comes from. */
const ORIGIN = { timestamp: '2026-03-01T09:30:00.000Z', path: '/api/public/v1/messages', requestId: 'req_1' };

/**
 * Returns the error of a post that gets this response. Expects exactly one request, because nothing here may be
 * retried.
 */
async function errorOn<T extends client.HubError>(response: () => Response, kind: new (...args: never[]) => T) {
  server.respondWith(response);
  const before = server.requests.length;
  const error: T = await hub.messages.create({ text: 'x' }).catch((thrown) => thrown);
  expect(server.requests.length - before).toBe(1);
  expect(error).toBeInstanceOf(kind);
  return error;
}

describe('an error response', () => {
  test.each([
    [400, client.HubBadRequestError, 'invalid'],
    [401, client.HubAuthenticationError, 'unauthenticated'],
    [403, client.HubScopeError, 'missing_scope'],
    [404, client.HubNotFoundError, 'not_found'],
    [405, client.HubApiError, 'rejected'],
    [408, client.HubApiError, 'uncertain'],
    [413, client.HubPayloadTooLargeError, 'too_large'],
    [415, client.HubUnsupportedMediaTypeError, 'unsupported_media_type'],
    [429, client.HubApiError, 'rate_limited'],
    [500, client.HubServerError, 'uncertain'],
    [503, client.HubServerError, 'uncertain'],
  ])('%d has its own class with all details, and is not retried', async (status, errorClass, kind) => {
    const error = await errorOn(() => errorResponse(status, `Because of ${status}.`), errorClass);
    expect(error.constructor).toBe(errorClass);
    const details = { ...ORIGIN, statusCode: status, message: `Because of ${status}.` };
    expect(error).toMatchObject({ ...details, name: errorClass.name, kind, mayHaveCreated: kind === 'uncertain' });
    for (const base of [client.HubApiError, client.HubResponseError, client.HubError])
      expect(error).toBeInstanceOf(base);
    expect((error as client.HubApiError).headers.get('x-request-id')).toBe(ORIGIN.requestId);
    expect(JSON.stringify(error)).not.toContain('headers');
  });

  test('403 with Retry-After is a block with the remaining seconds', async () => {
    const error = await errorOn(() => errorResponse(403, undefined, { 'retry-after': '123' }), client.HubBlockedError);
    expect(error).toMatchObject({ retryAfterSeconds: 123, kind: 'rate_limited', mayHaveCreated: false });
  });

  const DATE = { date: 'Wed, 21 Oct 2026 07:28:00 GMT' };
  const WAITS: [header: string, expected: number | undefined, more: Record<string, string>][] = [
    ['12', 12, {}],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30, DATE],
    ['Wednesday, 21-Oct-26 07:29:00 GMT', 60, DATE],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0, DATE],
    ['1.5', undefined, {}],
    ['soon 5', undefined, {}],
  ];

  test.each(WAITS)('keeps the seconds of Retry-After for 403, 429 and 503: %s', async (header, expected, more) => {
    for (const status of [403, 429, 503]) {
      const foreign = () => new Response('Wait', { status, headers: { 'retry-after': header, ...more } });
      const own = () => errorResponse(status, 'Wait.', { 'retry-after': header, ...more });
      for (const response of [own, foreign])
        expect(await errorOn(response, client.HubApiError)).toHaveProperty('retryAfterSeconds', expected);
    }
  });

  const NOTHING = 'The disk is full. Nothing was stored.';

  test.each([408, 500, 503, 507])('%d is certain if a Hub server says that nothing was stored', async (status) => {
    const error = await errorOn(() => errorResponse(status, NOTHING, { 'retry-after': '5' }), client.HubApiError);
    const details = { name: error.name, message: NOTHING, statusCode: status, retryAfterSeconds: 5 };
    const inJson = { ...details, kind: 'unavailable', mayHaveCreated: false, ...ORIGIN };
    expect(JSON.parse(JSON.stringify(error))).toEqual(inJson);
    const foreign = await errorOn(() => Response.json({ message: NOTHING }, { status }), client.HubApiError);
    expect(foreign).toMatchObject({ kind: 'uncertain', mayHaveCreated: true });
  });
});

describe('the error for a response from another server', () => {
  test('reports the status and the beginning of the text of a 502 page from a proxy', async () => {
    const html = `<html><head><style>h1 { color: red }</style></head><body><h1>502\n Bad Gateway</h1>${'long '.repeat(500)}`;
    const headers = { 'content-type': 'text/html', 'x-request-id': 'edge-1' };
    const error = await errorOn(() => new Response(html, { status: 502, headers }), client.HubServerError);
    const { message, timestamp } = error;
    expect(message).toContain(`${server.url}/api/public/v1/messages returned 502`);
    expect(message).toMatch(/"502 Bad Gateway long.*…" \(text\/html\)/);
    expect([message.includes('color'), message.length < 500]).toEqual([false, true]);
    const details = { requestId: 'edge-1', path: '/api/public/v1/messages', mayHaveCreated: true, statusCode: 502 };
    expect(error).toMatchObject(details);
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  });

  test('does not require reading an endless response to the end', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16 * 1024).fill(97));
      },
    });
    await errorOn(() => new Response(endless, { status: 502 }), client.HubServerError);
    expect(pulled).toBeLessThan(1000);
  });
});

const good = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

test.each([
  ['a body that is not JSON', 201, 'OK'],
  ['no data', 201, '{"success":true}'],
  ['data that is null', 201, '{"success":true,"data":null}'],
  ['success false', 201, JSON.stringify({ success: false, data: good })],
  ['no id', 201, JSON.stringify({ success: true, data: { ...good, id: undefined } })],
  ['the container of another kind', 201, JSON.stringify({ success: true, data: { ...good, conversationId: 7 } })],
  ['another status', 200, JSON.stringify({ success: true, data: good })],
  ['no body at all', 204, null],
])('a success with %s reports that the post may have been created', async (_, status, body) => {
  const headers = { 'x-request-id': 'req_9' };
  const error = await errorOn(() => new Response(body, { status, headers }), client.HubUnexpectedResponseError);
  expect(error).toMatchObject({ statusCode: status, requestId: 'req_9', mayHaveCreated: true, kind: 'uncertain' });
  expect(error.message).toContain('The post may have been created');
});

test('a redirect is not followed, and the error says which baseUrl to set', async () => {
  const target = 'https://user:s3cret@hub.example.com/team/api/public/v1/messages?token=s3cret#s3cret';
  const redirect = () => new Response(null, { status: 308, headers: { location: target } });
  const error = await errorOn(redirect, client.HubRedirectError);
  expect(error.location).toBe('https://hub.example.com/team/api/public/v1/messages');
  expect(error.message).toContain('set baseUrl to https://hub.example.com/team');
  expect(error.message).not.toContain('s3cret');
  expect(error).toMatchObject({ statusCode: 308, mayHaveCreated: false, kind: 'redirected' });
});
