import { beforeEach, describe, expect, test } from 'bun:test';
import type { PostKind } from '@hub/testkit/http';
import { openConnection, rawHead } from '@hub/testkit/http';
import { publicCaller, SMALLEST_BODY } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, memberOf, signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

/** A request whose body arrives late is checked again when it has arrived. */
const hub = shared(startTestHub);
const DAY_MS = 24 * 60 * 60_000;
type Caller = Awaited<ReturnType<typeof publicCaller>>;

let caller: Caller;
beforeEach(async () => {
  caller = await publicCaller(hub);
});

describe('a post whose body arrives late is checked again', () => {
  /** Sends half of a body. Once the gate has let the request through, resolves with a function that sends the rest. */
  async function heldPost(sender: Caller, kind: PostKind = 'messages') {
    const body = JSON.stringify(SMALLEST_BODY[kind]);
    const { requestCount: before } = await hub.admin.showKey(sender.keyId);
    const socket = await openConnection(hub.url);
    const fields = [`Authorization: Bearer ${sender.key}`, 'Content-Type: application/json'];
    const head = rawHead(
      `POST /api/public/v1/${kind} HTTP/1.1`,
      'Host: hub',
      ...fields,
      `Content-Length: ${body.length}`,
    );
    await socket.write(head + body.slice(0, 5));
    while ((await hub.admin.showKey(sender.keyId)).requestCount === before);
    return async () => {
      await socket.write(body.slice(5));
      const response = await socket.response();
      socket.close();
      return response;
    };
  }

  test.each([
    ['revoked', (sender: Caller) => hub.admin.revokeKey(sender.keyId)],
    ['replaced', (sender: Caller) => hub.admin.replaceKey(sender.keyId)],
  ])('401 if its key was %s in the meantime, and nothing is created', async (_, end) => {
    const held = [await heldPost(caller), await heldPost(caller, 'notes'), await heldPost(caller, 'todos')];
    const other = await heldPost(await publicCaller(hub));
    await end(caller);
    const [unaffected, ...responses] = await Promise.all([other, ...held].map((finish) => finish()));
    expect(unaffected?.status).toBe(201);
    for (const response of responses) {
      expect([response.status, response.header('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(Object.keys(JSON.parse(response.body)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
      expect(JSON.parse(response.body).message).toStartWith('This API key is not valid');
    }
    expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ requestCount: 3, postCount: 0 });
  });

  test('401 if its key expired, or the overlap of 24 hours ended in the meantime', async () => {
    const expiring = await publicCaller(hub, { lifetimeSeconds: 1 });
    const finish = await heldPost(expiring);
    hub.clock.setWall(hub.clock.now() + 1_000);
    expect((await finish()).status).toBe(401);
    await hub.admin.rotateKey(caller.keyId);
    const [early, late] = [await heldPost(caller), await heldPost(caller)];
    hub.clock.setWall(hub.clock.now() + DAY_MS - 1);
    expect((await early()).status).toBe(201);
    hub.clock.setWall(hub.clock.now() + 1);
    expect((await late()).status).toBe(401);
    expect((await hub.admin.showKey(caller.keyId)).postCount).toBe(1);
  });

  test('404 if its Hub was deleted in the meantime, and 401 if its key was revoked, too', async () => {
    const [first, second] = [await heldPost(caller), await heldPost(caller)];
    await hub.admin.deleteHub(caller.hubId);
    expect((await first()).status).toBe(404);
    await hub.admin.revokeKey(caller.keyId);
    expect((await second()).status).toBe(401);
    expect((await hub.admin.showKey(caller.keyId)).postCount).toBe(0);
  });
});

describe('a request of a user whose body arrives late is authorized again', () => {
  const ACCOUNT = { email: 'back-door@example.org', name: 'Eve', role: 'admin', password: 'a way back in' };
  /** Holds back the body. Resolves once the request is authenticated, as the first use of its credential shows. */
  async function heldRequest(sender: UserCaller, line: string, body: object) {
    const bytes = JSON.stringify(body);
    const socket = await openConnection(hub.url);
    const own = Object.entries(sender.headers).map(([name, value]) => `${name}: ${value}`);
    const fixed = ['host: hub', 'content-type: application/json', `content-length: ${bytes.length}`];
    hub.deps.credentialUse.take();
    await socket.write(rawHead(`${line} HTTP/1.1`, ...own, ...fixed));
    while (!hub.deps.credentialUse.take().some(({ userId }) => userId === sender.user.id)) {
      await new Promise(setImmediate);
    }
    return async (): Promise<string> => {
      await socket.write(bytes);
      const { status, body: returned } = await socket.response();
      socket.close();
      return status < 400 ? String(status) : `${status} ${(JSON.parse(returned) as { message: string }).message}`;
    };
  }

  test('401 if the user was disabled in the meantime; 403 if an admin became a member; else it succeeds', async () => {
    const [admin, other] = [await signedIn(hub, { role: 'admin' }), await signedIn(hub, { role: 'admin' })];
    const token = await tokenOf(hub, admin.user);
    const users = async () => (await adminJson(hub, 'GET', '/users')).body;
    const before = await users();
    const held = [
      await heldRequest(admin, 'POST /api/v1/users', ACCOUNT),
      await heldRequest(token, 'POST /api/v1/invitations', { email: 'eve@example.org', role: 'admin' }),
      await heldRequest(await signIn(hub, admin.user), 'POST /api/v1/me/tokens', { name: 'mine' }),
    ];
    const demoted = await heldRequest(other, 'POST /api/v1/users', ACCOUNT);
    await hub.admin.raw('POST', `/users/${admin.user.id}/deactivation`);
    await hub.admin.raw('PATCH', `/users/${other.user.id}`, { role: 'member' });
    for (const finish of held) expect(await finish()).toStartWith('401 ');
    expect(await demoted()).toBe('403 Only workspace admins can do this. Ask an admin.');
    await hub.admin.raw('PATCH', `/users/${other.user.id}`, { role: 'admin' });
    await hub.admin.raw('POST', `/users/${admin.user.id}/reactivation`);
    expect(await users()).toEqual(before);
    expect((await adminJson(hub, 'GET', '/invitations')).body.items).toEqual([]);
    hub.clock.advance(60_000);
    expect(await (await heldRequest(other, 'POST /api/v1/users', ACCOUNT))()).toBe('201');
  });

  test('401 if the session or token ended in the meantime', async () => {
    const session = await memberOf(hub, caller.hubId);
    const token = await tokenOf(hub, session.user);
    const line = `POST /api/v1/hubs/${caller.hubId}/messages`;
    const held = [await heldRequest(session, line, { text: 'late' }), await heldRequest(token, line, { text: 'late' })];
    const tokens = await session.json<{ items: { id: string }[] }>('GET', '/me/tokens');
    for (const each of tokens.body.items) await session.json('DELETE', `/me/tokens/${each.id}`);
    await session.json('DELETE', '/session');
    for (const finish of held) expect(await finish()).toStartWith('401 ');
  });
});
