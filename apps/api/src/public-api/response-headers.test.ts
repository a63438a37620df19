import { expect, test } from 'bun:test';
import { publicCaller } from '../testing/public-caller.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

const PATH = '/api/public/v1/messages';

test('every answer to an authenticated request, of every status, carries both RateLimit fields', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const deleted = await publicCaller(hub);
  await hub.admin.deleteHub(deleted.hubId);
  const narrow = await publicCaller(hub, { scopes: ['todos:create'] });
  const responses = [
    await caller.request(PATH, { body: { text: 'x' } }),
    await caller.request(PATH, { body: {} }),
    await narrow.request(PATH, { body: {} }),
    await deleted.request(PATH, { body: {} }),
    await caller.request(`${PATH}/x`),
    await caller.request(PATH, { method: 'GET' }),
    await caller.request(PATH, { method: 'HEAD' }),
    await caller.request(PATH, { body: new Uint8Array(1_048_577) }),
    await caller.request(PATH, { contentType: null, body: {} }),
  ];
  expect(responses.map((response) => response.status)).toEqual([201, 400, 403, 404, 404, 405, 405, 413, 415]);
  for (const response of responses) {
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
    expect(response.headers.get('ratelimit')).toMatch(/^"default";r=5\d;t=60$/);
  }
});

test('r counts down to 0, t says in whole seconds, rounded up, when the oldest request leaves the window', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const send = async () => (await caller.request(PATH, { body: {} })).headers.get('ratelimit');
  expect(await send()).toBe('"default";r=59;t=60');
  hub.clock.advance(1);
  expect(await send()).toBe('"default";r=58;t=60');
  hub.clock.advance(9_999);
  expect(await send()).toBe('"default";r=57;t=50');
  for (let count = 0; count < 56; count += 1) hub.deps.limiter.admit(caller.keyId);
  expect(await send()).toBe('"default";r=0;t=50');
});

test('Retry-After is the seconds left, whole and rounded up, and RateLimit says the same', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  for (let count = 0; count < 60; count += 1) hub.deps.limiter.admit(caller.keyId);
  const send = async () => {
    const { status, headers } = await caller.request(PATH, { body: { text: 'x' } });
    return [status, headers.get('retry-after'), headers.get('ratelimit')];
  };
  expect(await send()).toEqual([403, '300', '"default";r=0;t=300']);
  hub.clock.advance(1);
  expect(await send()).toEqual([403, '300', '"default";r=0;t=300']);
  hub.clock.advance(999);
  expect(await send()).toEqual([403, '299', '"default";r=0;t=299']);
  hub.clock.advance(298_999);
  expect(await send()).toEqual([403, '1', '"default";r=0;t=1']);
  hub.clock.advance(1);
  expect((await send())[0]).toBe(201);
});

test('an answer to a request that did not authenticate carries no RateLimit field', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const response = await caller.request(PATH, { authorization: null });
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

test('every answer carries an X-Request-Id of its own, also those without a key and beside the API', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const responses = [
    await caller.request(PATH, { body: { text: 'x' } }),
    await caller.request(PATH, { authorization: null }),
    await caller.request(PATH, { method: 'HEAD' }),
    await hub.fetch('/api/v1'),
    await hub.fetch('/api/v1/hubs'),
    await hub.fetch('/nowhere'),
    await hub.fetch('/api/openapi.json'),
  ];
  const ids = responses.map((response) => response.headers.get('x-request-id') ?? 'none');
  for (const id of ids) expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an X-Request-Id that the caller sends is not taken for the server's own", async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const response = await caller.request(PATH, { body: { text: 'x' }, headers: { 'x-request-id': 'mine' } });
  expect(response.headers.get('x-request-id')).not.toBe('mine');
});
