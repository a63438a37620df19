import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const PATH = '/api/public/v1/messages';

describe('the key of a request', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  let address = 0;
  beforeAll(async () => {
    hub = await startTestHub();
    caller = await publicCaller(hub);
  });
  // Each test has its own address, so that failures in one test do not delay responses in another.
  beforeEach(() => {
    address += 1;
    hub.setClientAddress(`10.1.0.${address}`);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const statusOf = async (authorization: string): Promise<number> =>
    (await caller.request(PATH, { authorization, body: { text: 'x' } })).status;

  test('is not read from the URL, whether from access_token or any other parameter', async () => {
    for (const name of ['access_token', 'key', 'api_key', 'token', 'authorization']) {
      const response = await caller.request(`${PATH}?${name}=${caller.key}`, {
        authorization: null,
        body: { text: 'x' },
      });
      expect(response.status).toBe(401);
    }
  });

  test('is not read from a cookie', async () => {
    const headers = { cookie: `access_token=${caller.key}; authorization=Bearer ${caller.key}` };
    expect((await caller.request(PATH, { authorization: null, body: { text: 'x' }, headers })).status).toBe(401);
  });

  test('is not read from a JSON or form body', async () => {
    const body = { text: 'x', access_token: caller.key };
    expect((await caller.request(PATH, { authorization: null, body })).status).toBe(401);
    const form = new TextEncoder().encode(`access_token=${caller.key}`);
    const contentType = 'application/x-www-form-urlencoded';
    expect((await caller.request(PATH, { authorization: null, contentType, body: form })).status).toBe(401);
  });

  test('is not read from another header', async () => {
    const headers = { 'x-api-key': caller.key, 'proxy-authorization': `Bearer ${caller.key}` };
    expect((await caller.request(PATH, { authorization: null, body: { text: 'x' }, headers })).status).toBe(401);
  });

  test('is never echoed in an error body when it was sent in the URL', async () => {
    const response = await caller.request(`${PATH}?access_token=${caller.key}`, { authorization: null });
    expect(JSON.stringify(await errorOf(response))).not.toContain(caller.key);
  });

  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    test(`is accepted with the scheme in any letter case: ${scheme}`, async () => {
      expect(await statusOf(`${scheme} ${caller.key}`)).toBe(201);
    });
  }

  test('is accepted with several spaces after the scheme (RFC 9110) and with trailing spaces', async () => {
    expect(await statusOf(`Bearer   ${caller.key}`)).toBe(201);
    expect(await statusOf(`Bearer ${caller.key}  `)).toBe(201);
  });

  const malformed: [string, (key: string) => string][] = [
    ['a tab after the scheme', (key) => `Bearer\t${key}`],
    ['no scheme', (key) => key],
    ['no token', () => 'Bearer'],
    ['no token but spaces', () => 'Bearer   '],
    ['a colon after the scheme', (key) => `Bearer: ${key}`],
    ['Basic', (key) => `Basic ${btoa(`${key}:`)}`],
    ['a comma at its end', (key) => `Bearer ${key},`],
    ['two tokens', (key) => `Bearer ${key} ${key}`],
    ['quotation marks', (key) => `Bearer "${key}"`],
    ['a scheme that only begins like it', (key) => `Bearers ${key}`],
    ['another case of the key', (key) => `Bearer ${key.toUpperCase()}`],
    ['the key without its checksum', (key) => `Bearer ${key.slice(0, -6)}`],
  ];
  for (const [name, write] of malformed) {
    test(`returns 401 with the expected format for an Authorization header with ${name}`, async () => {
      const response = await caller.request(PATH, { authorization: write(caller.key), body: { text: 'x' } });
      expect(response.status).toBe(401);
      const { message } = await errorOf(response);
      expect(message).toMatch(/hub_live_/);
      expect(message).not.toContain(caller.key);
    });
  }

  test('returns 401 for two Authorization headers, even if both have the same valid key', async () => {
    const field = `Authorization: Bearer ${caller.key}`;
    const response = await sendOnce(
      hub.url,
      rawHead(`POST ${PATH} HTTP/1.1`, 'Host: hub.example', field, field, 'Content-Length: 0'),
    );
    expect(response.status).toBe(401);
  });

  test('cannot be used from browsers: no response has CORS headers, and OPTIONS is authenticated like any other method', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const responses = [
      await caller.request(PATH, { body: { text: 'x' }, headers }),
      await caller.request(PATH, { method: 'OPTIONS', headers }),
      await caller.request(PATH, { method: 'OPTIONS', authorization: null, headers }),
    ];
    expect(responses.map((response) => response.status)).toEqual([201, 405, 401]);
    for (const response of responses) {
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});
