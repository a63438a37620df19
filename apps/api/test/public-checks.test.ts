import { describe, expect, test } from 'bun:test';
import { ALL_SCOPES, buildToken, KEY_PREFIX, LIMITS, type Scope } from '@hub/contract';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, type PublicRequest, publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import type { KeyLimiter } from '../src/workspace/keys/key-usage.ts';

/** The order of checks under `/api/public/v1`, keys in the header, and the headers of responses. */
type Step = '401' | '403 block' | '404 path' | '405' | '403 scope' | '404 Hub' | '413' | '415' | '400' | '201';

/** An unknown path has no methods, so 404 comes before 405. */
const ORDER: Step[] = ['401', '403 block', '404 path', '405', '403 scope', '404 Hub', '413', '415', '400', '201'];

const huge = new Uint8Array(LIMITS.bodyBytes + 1).fill(97);
const PATH = '/api/public/v1/messages';
const notJson = 'text/plain';
const form = 'application/x-www-form-urlencoded';
const badJson = new TextEncoder().encode('{"text": ');
const MESSAGE = { text: 'x' };

interface Sent extends PublicRequest {
  fails: Step[];
}

/** Requests, and the checks that each of them fails. */
const REQUESTS: Record<string, Sent> = {
  'a message': { fails: [], body: MESSAGE },
  'a note': { path: '/api/public/v1/notes', fails: [], body: { content: 'x' } },
  'a to-do': { path: '/api/public/v1/todos', fails: [], body: { title: 'x' } },
  'an unknown path': { path: `${PATH}/x`, fails: ['404 path'], body: MESSAGE },
  'a trailing slash': { path: `${PATH}/`, fails: ['404 path'], body: MESSAGE },
  'an encoded path': { path: '/api/public/v1/%6dessages', fails: ['404 path'], body: MESSAGE },
  'GET of an unknown path': { path: `${PATH}/x`, fails: ['404 path'], method: 'GET' },
  GET: { fails: ['405'], method: 'GET' },
  HEAD: { fails: ['405'], method: 'HEAD' },
  OPTIONS: { fails: ['405'], method: 'OPTIONS' },
  'PUT, too large, not JSON': { fails: ['405', '413', '415'], method: 'PUT', contentType: notJson, body: huge },
  'too large, not JSON': { fails: ['413', '415', '400'], contentType: notJson, body: huge },
  'not JSON and malformed': { fails: ['415', '400'], contentType: notJson, body: badJson },
  'no type and no body': { fails: ['415', '400'], contentType: null },
  'malformed JSON': { fails: ['400'], body: badJson },
  'an unknown field': { fails: ['400'], body: { txt: 'x' } },
  ...relayRequests(),
};

/** The relay makes the same checks, except that it accepts any JSON, and that of Slack also as a form. */
function relayRequests(): Record<string, Sent> {
  return Object.fromEntries(
    ['slack', 'alertmanager', 'grafana'].flatMap((sender): [string, Sent][] => {
      const path = `/api/public/v1/relay/${sender}`;
      const afterForm: Step[] = sender === 'slack' ? ['400'] : ['415', '400'];
      return [
        [`${sender}: unknown fields`, { path, fails: [], body: { txt: 'x' } }],
        [`${sender}: too large`, { path, fails: ['413', '415', '400'], contentType: notJson, body: huge }],
        [`${sender}: a form`, { path, fails: afterForm, contentType: form, body: badJson }],
      ];
    }),
  );
}

/** The scope that a path needs. The relay creates messages. */
function scopeOf(path: string): Scope {
  if (path.endsWith('/notes')) return 'notes:create';
  return path.endsWith('/todos') ? 'todos:create' : 'messages:create';
}

const hub = shared(startTestHub);

/** Sends from an address of its own, so that no response is delayed because another request failed. */
let address = 0;
function fromNewAddress(): void {
  address += 1;
  hub.setClientAddress(`10.0.${address >> 8}.${address & 255}`);
}

const DAY_MS = 24 * 60 * 60_000;
type Caller = Awaited<ReturnType<typeof publicCaller>>;
/** The events in the life of a key before it is used. */
const EVENTS = {
  rotation: ({ keyId }: Caller) => hub.admin.rotateKey(keyId),
  replacement: ({ keyId }: Caller) => hub.admin.replaceKey(keyId),
  revocation: ({ keyId }: Caller) => hub.admin.revokeKey(keyId),
  deletion: ({ hubId }: Caller) => hub.admin.deleteHub(hubId),
  post: (caller: Caller) => caller.post('messages', MESSAGE),
  restoration: ({ hubId }: Caller) => hub.admin.restoreHub(hubId),
  block: async ({ keyId }: Caller) => {
    for (let request = 0; request <= 60; request += 1) (hub.deps.limiter as KeyLimiter).admit(keyId);
  },
  day: async () => hub.clock.advance(DAY_MS),
};

/** Keys, the checks that they fail, and what happened to them. The first ones are issued one and two days earlier. */
const KEYS: [name: string, fails: Step[], events: (keyof typeof EVENTS)[], scopes?: readonly Scope[]][] = [
  ['a key whose overlap is over', ['401'], ['rotation', 'day']],
  ['an expired key', ['401'], ['day']],
  ['a replaced key', ['401'], ['replacement']],
  ['a revoked key', ['401'], ['revocation']],
  ['a revoked and blocked key', ['401', '403 block'], ['revocation', 'block']],
  ['a blocked key', ['403 block'], ['block']],
  ['a blocked key of a deleted Hub', ['403 block', '404 Hub'], ['deletion', 'block'], ['notes:create']],
  ['a narrow key of a deleted Hub', ['404 Hub'], ['deletion'], ['notes:create']],
  ['a key of a deleted Hub', ['404 Hub'], ['deletion']],
  ['a key of a restored Hub', [], ['deletion', 'post', 'restoration']],
  ['a rotated key', [], ['rotation']],
  ['a good key', [], []],
  ...ALL_SCOPES.map((scope) => [`a key for ${scope}`, [], [], [scope]] satisfies (typeof KEYS)[number]),
];

async function issuedKeys() {
  const issued = [];
  for (const [name, fails, events, scopes = ALL_SCOPES] of KEYS) {
    const lifetime = name === 'an expired key' ? { lifetimeSeconds: 60 } : {};
    const caller = await publicCaller(hub, { scopes: [...scopes], ...lifetime });
    for (const event of events) await EVENTS[event](caller);
    issued.push({ name, fails, scopes, authorization: `Bearer ${caller.key}` as string | null });
  }
  const { key } = await publicCaller(hub);
  for (const [name, authorization] of Object.entries({
    ...{ 'no key': null, 'a malformed key': 'Bearer hub_live_short', 'another scheme': `Basic ${key}` },
    'an unknown key': `Bearer ${buildToken(KEY_PREFIX, '0'.repeat(34))}`,
  }))
    issued.push({ name, fails: ['401'] as Step[], scopes: ALL_SCOPES, authorization });
  return issued;
}

describe('the first failing check decides, for every kind of key', () => {
  const world = shared(async () => ({ keys: await issuedKeys(), caller: await publicCaller(hub) }));
  const messages = new Map<string, string>();

  test.each(Object.entries(REQUESTS))('%s', async (_, { path = PATH, fails, ...send }) => {
    for (const { name, authorization, scopes, fails: keyFails } of world.keys) {
      const lacksScope = !scopes.includes(scopeOf(path));
      const failed = new Set([...fails, ...keyFails, ...(lacksScope ? ['403 scope'] : [])]);
      const expected = ORDER.find((step) => failed.has(step)) ?? '201';
      fromNewAddress();
      const response = await world.caller.request(path, { ...send, authorization });
      expect(`${name}: ${await stepOf(response, name)}`).toBe(`${name}: ${expected}`);
    }
    // Whether a key ever existed is not revealed.
    const ended = ['an unknown key', 'an expired key', 'a revoked key'].map((name) => messages.get(name));
    expect(new Set(ended).size).toBe(1);
  });

  /** Returns the check that failed, based only on the response, from which callers can tell which one it was. */
  async function stepOf(response: Response, name: string): Promise<string> {
    const { status, headers } = response;
    const text = await response.text();
    const message = text === '' ? '' : (JSON.parse(text).message ?? '');
    if (text !== '') messages.set(name, message);
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(headers.get('ratelimit-policy')).toBe(status === 401 ? null : '"default";q=60;w=60');
    expect(headers.get('ratelimit') ?? '').toMatch(status === 401 ? /^$/ : /^"default";r=\d+;t=\d+$/);
    if (status === 403) return headers.has('retry-after') ? '403 block' : '403 scope';
    expect(headers.has('retry-after')).toBe(false);
    if (status === 404) return message.includes('Hub') ? '404 Hub' : '404 path';
    return String(status);
  }
});

describe('the key of a request', () => {
  const caller = shared(() => publicCaller(hub));
  const ask = (options: PublicRequest, query = '') => {
    fromNewAddress();
    return caller.request(PATH + query, { body: MESSAGE, ...options });
  };

  test('is read from no place but the header, and never echoed', async () => {
    const authorization = null;
    for (const name of ['access_token', 'key', 'api_key', 'token', 'authorization']) {
      const response = await ask({ authorization }, `?${name}=${caller.key}`);
      expect([name, response.status]).toEqual([name, 401]);
      expect(await response.text()).not.toContain(caller.key);
    }
    const formBody = new TextEncoder().encode(`access_token=${caller.key}`);
    for (const options of [
      { headers: { cookie: `access_token=${caller.key}; authorization=Bearer ${caller.key}` } },
      { headers: { 'x-api-key': caller.key, 'proxy-authorization': `Bearer ${caller.key}` } },
      { body: { ...MESSAGE, access_token: caller.key } },
      { body: formBody, contentType: form },
    ]) {
      expect((await ask({ authorization, ...options })).status).toBe(401);
    }
  });

  test('is accepted with the scheme in any letter case, and with more spaces (RFC 9110)', async () => {
    for (const prefix of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer   ']) {
      expect([prefix, (await ask({ authorization: `${prefix}${caller.key}  ` })).status]).toEqual([prefix, 201]);
    }
  });

  test('gets 401 with the expected format if it is written in another way, or the header is sent twice', async () => {
    const { key } = caller;
    const values = [`Bearer\t${key}`, key, 'Bearer', 'Bearer   ', `Bearer: ${key}`, `Basic ${btoa(`${key}:`)}`];
    values.push(`Bearer ${key},`, `Bearer ${key} ${key}`, `Bearer "${key}"`, `Bearers ${key}`);
    for (const authorization of [...values, `Bearer ${key.toUpperCase()}`, `Bearer ${key.slice(0, -6)}`]) {
      const response = await ask({ authorization });
      expect([authorization, response.status]).toEqual([authorization, 401]);
      const { message } = await errorOf(response);
      expect(message).toMatch(/hub_live_/);
      expect(message).not.toContain(key);
    }
    const field = `Authorization: Bearer ${caller.key}`;
    const head = rawHead(`POST ${PATH} HTTP/1.1`, 'Host: hub.example', field, field, 'Content-Length: 0');
    expect((await sendOnce(hub.url, head)).status).toBe(401);
  });

  test('cannot be used from browsers: no CORS headers, and OPTIONS is authenticated like any other method', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const headers = { origin: 'https://evil.example', ...asked };
    const responses = [
      await ask({ headers }),
      await ask({ method: 'OPTIONS', headers }),
      await ask({ method: 'OPTIONS', authorization: null, headers }),
    ];
    expect(responses.map((response) => response.status)).toEqual([201, 405, 401]);
    for (const response of responses) {
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

test('RateLimit counts down to 0, and t is the time in seconds, rounded up, until the oldest request leaves the window', async () => {
  const caller = await publicCaller(hub);
  const send = async () => (await caller.request(PATH, { body: {} })).headers.get('ratelimit');
  expect(await send()).toBe('"default";r=59;t=60');
  hub.clock.advance(1);
  expect(await send()).toBe('"default";r=58;t=60');
  hub.clock.advance(9_999);
  expect(await send()).toBe('"default";r=57;t=50');
  for (let count = 0; count < 56; count += 1) (hub.deps.limiter as KeyLimiter).admit(caller.keyId);
  expect(await send()).toBe('"default";r=0;t=50');
});

test('every response has its own X-Request-Id, never that of the client', async () => {
  const headers = { 'x-request-id': 'req_01KA3T8Q6V5M0G7ZB4W2N9RXEC' };
  const sent = [PATH, PATH, '/api/v1', '/api/v1/hubs', '/nowhere', '/api/openapi.json'];
  const responses = await Promise.all(sent.map((path) => hub.fetch(path, { headers })));
  const ids = responses.map((response) => response.headers.get('x-request-id') ?? 'none');
  for (const id of ids) expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(new Set([...ids, headers['x-request-id']]).size).toBe(ids.length + 1);
});
