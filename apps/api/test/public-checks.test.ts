import { describe, expect, test } from 'bun:test';
import { ALL_SCOPES, buildToken, KEY_PREFIX, LIMITS, type Scope } from '@hub/contract';
import { rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, type PublicRequest, publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

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

/** A key in some state, the checks that it fails, and its scopes. */
interface Key {
  fails: Step[];
  authorization: string | null;
  scopes: readonly Scope[];
}

const hub = shared(startTestHub);

/** Sends from an address of its own, so that no response is delayed because another request failed. */
let address = 0;
function fromNewAddress(): void {
  address += 1;
  hub.setClientAddress(`10.0.${address >> 8}.${address & 255}`);
}

async function keys(): Promise<Record<string, Key>> {
  const issue = (scopes: readonly Scope[] = ALL_SCOPES, input = {}) =>
    publicCaller(hub, { scopes: [...scopes], ...input });
  const block = async ({ keyId }: { keyId: string }) => {
    for (let request = 0; request <= 60; request += 1) await hub.deps.limiter.admit(keyId);
  };
  const DAY_MS = 24 * 60 * 60_000;
  const outdated = await issue();
  const expired = await issue(ALL_SCOPES, { lifetimeSeconds: 60 });
  await hub.admin.rotateKey(outdated.keyId);
  hub.clock.advance(DAY_MS);
  const narrow = await Promise.all(ALL_SCOPES.map((scope) => issue([scope])));
  const [good, rotated, replaced, revoked] = [await issue(), await issue(), await issue(), await issue()];
  const [blocked, revokedAndBlocked, deletedHub, restoredHub] = [
    await issue(),
    await issue(),
    await issue(),
    await issue(),
  ];
  const [scopeAndHub, blockedAndAll] = [await issue(['notes:create']), await issue(['notes:create'])];
  await hub.admin.rotateKey(rotated.keyId);
  await hub.admin.replaceKey(replaced.keyId);
  for (const caller of [revoked, revokedAndBlocked]) await hub.admin.revokeKey(caller.keyId);
  for (const caller of [deletedHub, blockedAndAll, scopeAndHub, restoredHub]) await hub.admin.deleteHub(caller.hubId);
  await restoredHub.post('messages', MESSAGE);
  await hub.admin.restoreHub(restoredHub.hubId);
  for (const caller of [blocked, blockedAndAll, revokedAndBlocked]) await block(caller);
  const with_ = ({ key }: { key: string }, fails: Step[], scopes: readonly Scope[] = ALL_SCOPES): Key => ({
    fails,
    authorization: `Bearer ${key}`,
    scopes,
  });
  return {
    'no key': { ...with_(good, ['401']), authorization: null },
    'a malformed key': with_({ key: 'hub_live_short' }, ['401']),
    'another scheme': { ...with_(good, ['401']), authorization: `Basic ${good.key}` },
    'an unknown key': with_({ key: buildToken(KEY_PREFIX, '0'.repeat(34)) }, ['401']),
    'an expired key': with_(expired, ['401']),
    'a key whose overlap is over': with_(outdated, ['401']),
    'a replaced key': with_(replaced, ['401']),
    'a revoked key': with_(revoked, ['401']),
    'a revoked and blocked key': with_(revokedAndBlocked, ['401', '403 block']),
    'a blocked key': with_(blocked, ['403 block']),
    'a blocked key of a deleted Hub': with_(blockedAndAll, ['403 block', '404 Hub'], ['notes:create']),
    'a narrow key of a deleted Hub': with_(scopeAndHub, ['404 Hub'], ['notes:create']),
    'a key of a deleted Hub': with_(deletedHub, ['404 Hub']),
    'a key of a restored Hub': with_(restoredHub, []),
    'a rotated key': with_(rotated, []),
    'a good key': with_(good, []),
    ...Object.fromEntries(ALL_SCOPES.map((scope, n) => [`a key for ${scope}`, with_(narrow[n] ?? good, [], [scope])])),
  };
}

describe('the first failing check decides, for every kind of key', () => {
  const world = shared(async () => ({ keys: await keys(), caller: await publicCaller(hub) }));
  const messages = new Map<string, string>();

  test.each(Object.entries(REQUESTS))('%s', async (_, { path = PATH, fails, ...send }) => {
    for (const [name, key] of Object.entries(world.keys)) {
      const lacksScope = !key.scopes.includes(scopeOf(path));
      const failed = new Set([...fails, ...key.fails, ...(lacksScope ? ['403 scope'] : [])]);
      const expected = ORDER.find((step) => failed.has(step)) ?? '201';
      fromNewAddress();
      const response = await world.caller.request(path, { ...send, authorization: key.authorization });
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
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
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
  for (let count = 0; count < 56; count += 1) await hub.deps.limiter.admit(caller.keyId);
  expect(await send()).toBe('"default";r=0;t=50');
});

test('every response has its own X-Request-Id, never that of the client', async () => {
  const caller = await publicCaller(hub);
  const responses = [
    await caller.request(PATH, { body: MESSAGE, headers: { 'x-request-id': 'mine' } }),
    await caller.request(PATH, { authorization: null }),
    await caller.request(PATH, { method: 'HEAD' }),
    ...(await Promise.all(['/api/v1', '/api/v1/hubs', '/nowhere', '/api/openapi.json'].map((path) => hub.fetch(path)))),
  ];
  const ids = responses.map((response) => response.headers.get('x-request-id') ?? 'none');
  for (const id of ids) expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
