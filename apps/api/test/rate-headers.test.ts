import { expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub } from '@hub/testkit/in-process/test-hub';

const PATH = '/api/public/v1/messages';

test('every response to an authenticated request has both RateLimit headers, whatever its status', async () => {
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

test('r counts down to 0, and t is the time in seconds, rounded up, until the oldest request leaves the window', async () => {
  await using hub = await startTestHub();
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

test('Retry-After is the time left in seconds, rounded up, and RateLimit has the same value', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  for (let count = 0; count < 60; count += 1) await hub.deps.limiter.admit(caller.keyId);
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

test('a response to an unauthenticated request has no RateLimit header', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const response = await caller.request(PATH, { authorization: null });
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

test('every response has its own X-Request-Id, even without a key and outside the API', async () => {
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

test('an X-Request-Id sent by the client is ignored', async () => {
  await using hub = await startTestHub();
  const caller = await publicCaller(hub);
  const response = await caller.request(PATH, { body: { text: 'x' }, headers: { 'x-request-id': 'mine' } });
  expect(response.headers.get('x-request-id')).not.toBe('mine');
});
