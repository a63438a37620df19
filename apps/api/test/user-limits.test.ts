import { expect, spyOn, test } from 'bun:test';
import { ALL_SCOPES, type IssuedKey, LIMITS, type PersonalToken } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { perTest } from '@hub/testkit/in-process/shared';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  addMember,
  callerWith,
  memberOf,
  signedIn,
  signIn,
  tokenOf,
  type UserCaller,
} from '@hub/testkit/in-process/users';

const DAY_SECONDS = 24 * 60 * 60;

const hub = perTest(() => startTestHub({ limits: { maxRequestsPerMinute: 50, maxKeysPerHub: 3 } }));
const ada = perTest(() => signedIn(hub, { role: 'admin' }));

test('requests from one user to /api/v1 return 429 beyond the limit, which applies across all sessions, with Retry-After and the four fields', async () => {
  const other = await signIn(hub, ada.user);
  for (let n = 0; n < 50; n += 1) {
    expect((await (n % 2 === 0 ? ada : other).json('GET', '/me')).status).toBe(200);
    if (n === 20) hub.clock.advance(10_000);
  }
  for (const caller of [ada, other]) {
    const { status, headers, body } = await caller.json('GET', '/me');
    expect([status, headers.get('retry-after')]).toEqual([429, '50']);
    const message = 'You have sent 50 requests within a minute. Try again in 50 s.';
    expect(body).toEqual({ statusCode: 429, message, timestamp: expect.any(String), path: '/api/v1/me' });
  }
  expect((await ada.json('POST', '/hubs', { name: 'Nothing of it is done' })).status).toBe(429);
  // Others are not affected: users, the local admin, public routes and requests without a credential.
  const bob = await signedIn(hub, { name: 'Bob Kahn' });
  expect((await bob.json('GET', '/me')).status).toBe(200);
  expect((await hub.fetch('/api/v1')).status).toBe(200);
  expect((await hub.fetch('/api/v1/me')).status).toBe(401);
  for (let n = 0; n < 60; n += 1) expect((await hub.admin.listHubs()).items).toEqual([]);
});

test('requests from one user to /api/v1 with tokens share a limit of their own, so that users can still revoke a token that exhausts it', async () => {
  const tokens = [await tokenOf(hub, ada.user), await tokenOf(hub, ada.user)] as const;
  for (let n = 0; n < 50; n += 1) expect((await tokens[n % 2 === 0 ? 0 : 1].json('GET', '/me')).status).toBe(200);
  for (const token of tokens) expect((await token.json('GET', '/me')).status).toBe(429);
  const { body } = await ada.json<{ items: PersonalToken[] }>('GET', '/me/tokens');
  expect((await ada.json('DELETE', `/me/tokens/${body.items[0]?.id}`)).status).toBe(200);
  expect((await tokens[1].json('GET', '/me')).status).toBe(401);
});

/** Two Hubs, with a member of the first and one of both. Reading items of the first takes until the test says so. */
async function withSlowReads() {
  const [slow, other] = [await hub.admin.createHub('Slow'), await hub.admin.createHub('Other')];
  const { key } = await hub.admin.issueKey({ hubId: slow.id });
  const [hog, bob] = [await memberOf(hub, slow.id), await memberOf(hub, other.id)];
  await addMember(hub, slow.id, bob.user);
  const go = Promise.withResolvers<void>();
  const { list } = hub.store.items;
  const reads = spyOn(hub.store.items, 'list').mockImplementation(async (query) => {
    if (query.hubIds.includes(slow.id)) await go.promise;
    return list(query);
  });
  const slowReads = () => reads.mock.calls.filter(([{ hubIds }]) => hubIds.includes(slow.id)).length;
  const untilRead = async (count: number): Promise<void> => {
    while (slowReads() < count) await new Promise(setImmediate);
  };
  const listOf = (caller: UserCaller, hubId: string, init?: RequestInit) =>
    caller.fetch(`/api/v1/hubs/${hubId}/messages`, init);
  const token = await tokenOf(hub, hog.user);
  return { slow, other, key, hog, token, bob, go: go.resolve, slowReads, untilRead, listOf };
}

test('lists, and other costly requests, of one user run two at a time; nobody else waits for them, nor do cheap requests', async () => {
  const { slow, other, key, hog, token, bob, go, slowReads, untilRead, listOf } = await withSlowReads();
  const lists = [hog, token, hog, token, hog, token].map((caller) => listOf(caller, slow.id));
  await untilRead(2);
  expect((await listOf(bob, other.id)).status).toBe(200);
  expect((await hog.json('GET', '/me')).status).toBe(200);
  expect((await post(hub, 'messages', key, { text: 'Hello' })).status).toBe(201);
  expect((await hub.admin.listHubs()).items.length).toBe(2);
  expect(slowReads()).toBe(2);
  go();
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(slowReads()).toBe(6);
});

test('lists, and other costly requests, of one user are dropped when the client disconnects while they wait, and authorized again after it', async () => {
  const { slow, hog, token, go, slowReads, untilRead, listOf } = await withSlowReads();
  const lists = [listOf(hog, slow.id), listOf(hog, slow.id)];
  await untilRead(2);
  const gone = new AbortController();
  const aborted = listOf(hog, slow.id, { signal: gone.signal }).catch(({ name }: Error) => name);
  const revoked = listOf(token, slow.id);
  await hub.clock.untilSleeping();
  gone.abort();
  expect(await aborted).toBe('AbortError');
  // By the time of this response, the server knows of the closed connection, and of both requests that wait.
  expect((await hog.json('GET', '/me')).status).toBe(200);
  await hub.store.transaction(({ tokens }) => tokens.deleteAllOf(hog.user.id));
  go();
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await revoked).status).toBe(401);
  expect(slowReads()).toBe(2);
});

test('exports of one user are at most two at a time, until one ends or is canceled; those of others and of the local admin do not count', async () => {
  const { slow, hog, token, bob, go } = await withSlowReads();
  const path = `/api/v1/hubs/${slow.id}/export`;
  const canceled = new AbortController();
  const open = [await hog.fetch(path, { signal: canceled.signal }), await token.fetch(path)];
  const third = await hog.json('GET', `/hubs/${slow.id}/export`);
  expect([outcomeOf(third), third.headers.get('retry-after')]).toEqual([
    '429 You already have 2 exports in progress, the maximum per user. Wait until one is complete, or cancel it.',
    '15',
  ]);
  open.push(await bob.fetch(path));
  for (let n = 0; n < 3; n += 1) open.push(await hub.admin.raw('GET', `/hubs/${slow.id}/export`));
  expect(open.map(({ status }) => status)).toEqual(Array(6).fill(200));
  canceled.abort();
  // By the time of this response, the server knows of the closed connection.
  expect((await hog.json('GET', '/me')).status).toBe(200);
  go();
  expect((await hog.fetch(path)).status).toBe(200);
  await Promise.all(open.slice(1).map((each) => each.text()));
  expect((await hog.fetch(path)).status).toBe(200);
});

const LIMIT_REACHED = '429 You already have 20 live connections, the maximum per user. Close one first.';

test('live connections of one user are at most 20 across all sessions and tokens; one more handshake returns 429, even if all are concurrent', async () => {
  const { id: hubId } = await hub.admin.createHub();
  await addMember(hub, hubId, ada.user);
  const { headers } = await tokenOf(hub, ada.user);
  const tried = await Promise.allSettled(Array.from({ length: 22 }, () => liveClient(hub, headers)));
  const open = tried.filter((attempt) => attempt.status === 'fulfilled').map(({ value }) => value);
  expect(open).toHaveLength(20);
  expect(hub.deps.live.counts.sockets).toBe(20);
  for (const client of open) await client.subscribe(hubId);

  // Asks for the reason as a page does, since a page cannot see the status of a failed handshake.
  const { cookie = '' } = ada.headers;
  const why = await callerWith(hub, ada.user, { cookie }).json('GET', '/live');
  expect([outcomeOf(why), why.headers.get('retry-after')]).toEqual([LIMIT_REACHED, '15']);
  using local = await liveClient(hub);
  await local.subscribe(hubId);
  open[0]?.socket.close();
  await open[0]?.closed;
  using again = await liveClient(hub, headers);
  await again.subscribe(hubId);
  expect(await ada.outcome('GET', '/live')).toBe(LIMIT_REACHED);
  for (const client of open) client.socket.close();
});

test('live connections of one user take 20,000 frames of any kind at once and 200 a second from then on; one more closes a connection with 1008, but none of others', async () => {
  const { id: hubId } = await hub.admin.createHub();
  const { headers } = await tokenOf(hub, ada.user);
  const bob = await memberOf(hub, hubId);
  using other = await liveClient(hub, bob.headers);
  /** Sends this many frames over a connection of its own, all of which are handled. */
  const send = async (count: number) => {
    const client = await liveClient(hub, headers);
    for (let n = 1; n < count; n += 1) client.send({ type: 'unsubscribe', hubId });
    await client.settled();
    return client;
  };
  // As many as 20 pages send that follow 200 Hubs and reconnect five times.
  using first = await send(19_900);
  using second = await send(100);
  second.send({ type: 'unsubscribe', hubId });
  const reason = 'You have sent too many frames. Wait for half a minute before you reconnect.';
  expect(await second.closed).toEqual({ code: 1008, reason });
  hub.clock.advance(1_000);
  using third = await send(200);
  third.send({ type: 'unsubscribe', hubId });
  expect(await third.closed).toEqual({ code: 1008, reason });
  for (const kind of ['ping', 'pong'] as const) {
    hub.clock.advance(1_000);
    using client = await send(100);
    for (let n = 0; n <= 100; n += 1) client.socket[kind]();
    expect(await client.closed).toEqual({ code: 1008, reason });
  }
  expect(first.socket.readyState).toBe(WebSocket.OPEN);
  await other.subscribe(hubId);
});

test('access tokens of one user are at most 20: another returns 409, even if they are created concurrently, until one is revoked', async () => {
  const make = (more: object = {}, by = ada) =>
    by.json<{ id: string }>('POST', '/me/tokens', { name: 'hubctl', ...more });
  const made = await Promise.all(Array.from({ length: LIMITS.accessTokens + 2 }, () => make()));
  expect(made.map(({ status }) => status).sort()).toEqual([...Array<number>(20).fill(201), 409, 409]);
  expect(outcomeOf(await make())).toBe(
    '409 You have 20 access tokens, the maximum per user. Revoke one that you no longer use.',
  );
  await ada.json('DELETE', `/me/tokens/${made.find(({ status }) => status === 201)?.body.id}`);
  expect((await make({ lifetimeSeconds: DAY_SECONDS })).status).toBe(201);
  expect((await make()).status).toBe(409);
  // An expired one does not count.
  hub.clock.advance(DAY_SECONDS * 1_000);
  expect((await make({}, await signIn(hub, ada.user))).status).toBe(201);
});

test('active keys of one Hub are at most the configured number, even if issued concurrently, without revoked, expired and rotated ones', async () => {
  const { id: hubId } = await hub.admin.createHub();
  let by = ada;
  const issue = (more: object = {}) =>
    by.json<IssuedKey>('POST', '/keys', { hubId, name: 'ci', scopes: ALL_SCOPES, ...more });
  const full =
    '409 This Hub has 3 active keys, the maximum for a Hub. Revoke one that is no longer used, or ask the server admin to raise HUB_MAX_KEYS_PER_HUB.';
  await issue({ lifetimeSeconds: DAY_SECONDS });
  const issued = await Promise.all(Array.from({ length: 4 }, () => issue()));
  expect(issued.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  const [first, second] = issued.filter(({ status }) => status === 201);
  expect((await issue({ hubId: (await hub.admin.createHub()).id })).status).toBe(201);
  const isFullAgain = async () => {
    expect((await issue()).status).toBe(201);
    expect(outcomeOf(await issue())).toBe(full);
  };
  await ada.json('POST', `/keys/${first?.body.id}/revocation`);
  await isFullAgain();
  // Both keys of the rotation work for a day, and count as one.
  expect((await ada.json('POST', `/keys/${second?.body.id}/rotation`)).status).toBe(201);
  expect(outcomeOf(await issue())).toBe(full);
  hub.clock.advance(DAY_SECONDS * 1_000);
  by = await signIn(hub, ada.user);
  await isFullAgain();
  // The local admin has no limit.
  await hub.admin.issueKey({ hubId });
});
