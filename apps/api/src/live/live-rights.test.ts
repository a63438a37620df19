import { describe, expect, test } from 'bun:test';
import { ACCOUNT_DISABLED } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, signedIn, tokenOf } from '@hub/testkit/in-process/users';
import { holdNext } from '../../test/store/writes.ts';

const hub = shared(startTestHub);
/** For tests that hold a read or move the clock. */
const own = perTest(startTestHub);

async function hubWithKey() {
  const { hubId, post } = await publicCaller(hub);
  return { hubId, postText: (text: string) => post('messages', { text }) };
}

const HANDSHAKE = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
/** Sends the handshake with fetch, since a WebSocket does not reveal the response to a rejected handshake. */
const handshake = (headers: Record<string, string>) =>
  hub.fetch('/api/v1/live', { headers: { ...HANDSHAKE, 'sec-websocket-version': '13', ...headers } });

test('a live connection can be opened with a cookie only from the server’s own pages: a foreign or missing Origin returns 403 before the upgrade', async () => {
  const { headers } = await signedIn(hub);
  const cookie = headers.cookie ?? '';
  for (const origin of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
    const response = await handshake({ cookie, ...origin });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { message: string }).message).toContain('Origin');
  }
});

describe('a live view shows', () => {
  test("only its user's Hubs; other Hubs look as if they did not exist", async () => {
    const foreign = await hubWithKey();
    using client = await liveClient(hub, (await signedIn(hub)).headers);
    client.send({ type: 'subscribe', hubId: foreign.hubId, after: 0 });
    const error = await client.until('error');
    expect(error).toMatchObject({ code: 'not_found', hubId: foreign.hubId });
    expect(error.message).toBe(`There is no Hub ${foreign.hubId}.`);
    await foreign.postText('secret');
    await client.settled();
    expect(client.events()).toEqual([]);
  });

  test('an error and no events to an admin who is not a member of the Hub', async () => {
    const { hubId, postText } = await hubWithKey();
    const admin = await signedIn(hub, { role: 'admin' });
    using client = await liveClient(hub, admin.headers);
    client.send({ type: 'subscribe', hubId });
    expect(await client.until('error')).toMatchObject({ code: 'forbidden', hubId });
    await postText('secret');
    await client.settled();
    expect(client.events()).toEqual([]);
    expect((await admin.json('POST', `/hubs/${hubId}/members`, { userId: admin.user.id })).status).toBe(201);
    await client.until('hubs.changed');
    await client.subscribe(hubId, { after: 0 });
  });
});

describe('a live view is closed immediately', () => {
  test('for a removed member, for that Hub only', async () => {
    const [lost, kept] = [await hubWithKey(), await hubWithKey()];
    const member = await memberOf(hub, lost.hubId);
    await hub.admin.raw('POST', `/hubs/${kept.hubId}/members`, { userId: member.user.id });
    using client = await liveClient(hub, member.headers);
    const { seq } = await client.subscribe(lost.hubId);
    await client.subscribe(kept.hubId);
    await hub.admin.raw('DELETE', `/hubs/${lost.hubId}/members/${member.user.id}`);
    expect(await client.until('error')).toMatchObject({ code: 'not_member', hubId: lost.hubId });
    await lost.postText('secret');
    await kept.postText('open');
    await client.upTo(kept.hubId, 2);
    expect(client.events(lost.hubId).filter((event) => event.seq > seq + 1)).toEqual([]);
  });

  test.each([
    // The reason is the same message as when signing in. Only clients that were authenticated before get it.
    ['disabled', 'deactivation', ACCOUNT_DISABLED],
    ['signed out by an admin', 'sign-out', expect.any(String)],
  ])('for a user who is %s, whatever their credential', async (_, action, reason) => {
    const { hubId } = await hubWithKey();
    const session = await memberOf(hub, hubId);
    const token = await tokenOf(hub, session.user);
    const clients = [await liveClient(hub, session.headers), await liveClient(hub, token.headers)];
    for (const client of clients) await client.subscribe(hubId);
    await hub.admin.raw('POST', `/users/${session.user.id}/${action}`);
    for (const client of clients) expect(await client.closed).toEqual({ code: 4401, reason });
  });

  test('when its session ends while it is being opened', async () => {
    const session = await signedIn(own);
    const { reached, goOn } = holdNext(own.store.users, 'findCredential');
    const opening = liveClient(own, session.headers);
    await reached;
    expect((await session.json('DELETE', '/session')).status).toBe(200);
    goOn();
    using client = await opening;
    expect(await client.closed).toMatchObject({ code: 4401 });
  });

  test('when its session ends while it is checked because of another change', async () => {
    const [session, other] = [await signedIn(own), await signedIn(own)];
    using client = await liveClient(own, session.headers);
    await client.settled();
    const { reached, goOn } = holdNext(own.store.users, 'findCredentialById');
    await other.json('DELETE', '/session');
    await reached;
    expect((await session.json('DELETE', '/session')).status).toBe(200);
    goOn();
    expect(await client.closed).toMatchObject({ code: 4401 });
  });

  test('when its personal access token is revoked, or within half a second after it expired', async () => {
    const session = await signedIn(own);
    const withToken = async (fields: { lifetimeSeconds?: number }) => {
      const { id, token } = await session.request('POST /me/tokens', { body: { name: 'tail', ...fields } });
      const client = await liveClient(own, { authorization: `Bearer ${token}` });
      await client.settled();
      return { id, client };
    };
    const [revoked, expiring] = [await withToken({}), await withToken({ lifetimeSeconds: 60 })];
    await session.json('DELETE', `/me/tokens/${revoked.id}`);
    expect(await revoked.client.closed).toMatchObject({ code: 4401 });
    // Advances half a second at a time, so that every sweep of the connections runs.
    for (let passed = 0; passed < 60_000; passed += 500) {
      await own.clock.untilSleeping();
      own.clock.advance(500);
    }
    expect(await expiring.client.closed).toMatchObject({ code: 4401 });
  });
});

test('a live view is closed when the second factor that the workspace requires is overdue', async () => {
  const [session, token] = [await signedIn(own), await signedIn(own).then(({ user }) => tokenOf(own, user))];
  using client = await liveClient(own, session.headers);
  using program = await liveClient(own, token.headers);
  for (const each of [client, program]) await each.settled();
  await own.admin.json('PATCH', '/workspace', { secondFactor: 'everyone' });
  own.clock.advance(7 * 24 * 60 * 60_000 - 500);
  await own.clock.untilSleeping();
  await client.settled();
  own.clock.advance(500);
  const reason = 'Your workspace requires a second factor. Set one up in the web app first.';
  expect(await client.closed).toEqual({ code: 4401, reason });
  await program.settled();
});

test('a session with only a live connection counts as in use, so it does not expire', async () => {
  using client = await liveClient(own, (await signedIn(own)).headers);
  await client.settled();
  await own.clock.untilSleeping();
  own.clock.advance(61_000);
  await own.clock.untilSleeping();
  expect(own.deps.credentialUse.take()).toMatchObject([{ kind: 'session', at: own.clock.now() }]);
});
