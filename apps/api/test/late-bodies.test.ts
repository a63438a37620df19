import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openConnection, rawHead } from '@hub/testkit/http';
import { errorOf, publicCaller, SMALLEST_BODY } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { adminJson, memberOf, signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const DAY_MS = 24 * 60 * 60_000;

describe('a post whose body arrives late', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  type Caller = Awaited<ReturnType<typeof publicCaller>>;

  /**
   * Sends the head of a request and half of its body. Once the gate has let the request through, resolves with a
   * function that sends the rest.
   */
  async function heldPost(caller: Caller, kind: keyof typeof SMALLEST_BODY) {
    const body = JSON.stringify(SMALLEST_BODY[kind]);
    const socket = await openConnection(hub.url);
    const { requestCount: before } = await hub.admin.showKey(caller.keyId);
    await socket.write(
      rawHead(
        `POST /api/public/v1/${kind} HTTP/1.1`,
        'Host: hub.example',
        `Authorization: Bearer ${caller.key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ) + body.slice(0, 5),
    );
    while ((await hub.admin.showKey(caller.keyId)).requestCount === before);
    return async () => {
      await socket.write(body.slice(5));
      const response = await socket.response();
      socket.close();
      return { status: response.status, response, body: JSON.parse(response.body) as Record<string, unknown> };
    };
  }

  const itemsOf = async (hubId: string): Promise<number> => {
    const response = await hub.admin.raw('GET', `/hubs/${hubId}/export`);
    const { messages, notes, todos } = (await response.json()) as Record<string, unknown[]>;
    return (messages?.length ?? 0) + (notes?.length ?? 0) + (todos?.length ?? 0);
  };

  for (const [cause, end] of [
    ['revoked', ({ keyId }: Caller) => hub.admin.revokeKey(keyId)],
    ['replaced', ({ keyId }: Caller) => hub.admin.replaceKey(keyId)],
  ] as const) {
    test(`returns 401 and creates nothing when its key was ${cause} in the meantime, for every kind`, async () => {
      const caller = await publicCaller(hub);
      const held = [
        await heldPost(caller, 'messages'),
        await heldPost(caller, 'notes'),
        await heldPost(caller, 'todos'),
      ];
      await end(caller);
      for (const finish of held) {
        const { status, response, body } = await finish();
        expect(status).toBe(401);
        expect(response.header('www-authenticate')).toBe('Bearer');
        expect(Object.keys(body).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
        expect(body.message).toStartWith('This API key is not valid');
      }
      expect(await itemsOf(caller.hubId)).toBe(0);
      expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ requestCount: 3, postCount: 0 });
    });
  }

  test('returns 401 and creates nothing when its key expired in the meantime', async () => {
    const expiresAt = new Date(hub.clock.now() + 1_000).toISOString();
    const caller = await publicCaller(hub, { expiresAt });
    const finish = await heldPost(caller, 'messages');
    hub.clock.advance(1_000);
    expect((await finish()).status).toBe(401);
    expect(await itemsOf(caller.hubId)).toBe(0);
  });

  test('returns 401 and creates nothing when its key was rotated and the 24-hour overlap ended in the meantime', async () => {
    const caller = await publicCaller(hub);
    await hub.admin.rotateKey(caller.keyId);
    const [early, late] = [await heldPost(caller, 'messages'), await heldPost(caller, 'messages')];
    hub.clock.setWall(hub.clock.now() + DAY_MS - 1);
    expect((await early()).status).toBe(201);
    hub.clock.setWall(hub.clock.now() + 1);
    expect((await late()).status).toBe(401);
    expect(await itemsOf(caller.hubId)).toBe(1);
  });

  test('returns 404 and creates nothing when the Hub of its key was deleted in the meantime', async () => {
    const caller = await publicCaller(hub);
    const finish = await heldPost(caller, 'messages');
    await hub.admin.deleteHub(caller.hubId);
    expect((await finish()).status).toBe(404);
    await hub.admin.restoreHub(caller.hubId);
    expect(await itemsOf(caller.hubId)).toBe(0);
  });

  test('returns 401 when its key was revoked and its Hub deleted in the meantime', async () => {
    const caller = await publicCaller(hub);
    const finish = await heldPost(caller, 'messages');
    await hub.admin.revokeKey(caller.keyId);
    await hub.admin.deleteHub(caller.hubId);
    expect((await finish()).status).toBe(401);
  });

  test('does not affect other posts in the same batch', async () => {
    const [ended, other] = [await publicCaller(hub), await publicCaller(hub)];
    const held = [await heldPost(ended, 'messages'), await heldPost(other, 'messages')];
    await hub.admin.revokeKey(ended.keyId);
    const responses = await Promise.all(held.map((finish) => finish()));
    expect(responses.map(({ status }) => status)).toEqual([401, 201]);
    expect(await errorOf(await ended.post('messages', { text: 'x' }))).toMatchObject({ statusCode: 401 });
  });
});

/**
 * Starts a request and holds back its body, which the test sends later, within the limit for slow bodies. Resolves once
 * the request is authenticated, as shown by the first use of the session or token.
 */
async function heldRequest(hub: TestHub, caller: UserCaller, line: string, body: object) {
  const bytes = JSON.stringify(body);
  const socket = await openConnection(hub.url);
  const own = Object.entries(caller.headers).map(([name, value]) => `${name}: ${value}`);
  const fixed = ['host: hub', 'content-type: application/json', `content-length: ${bytes.length}`];
  hub.deps.credentialUse.take();
  await socket.write(rawHead(`${line} HTTP/1.1`, ...own, ...fixed));
  while (!hub.deps.credentialUse.take().some(({ userId }) => userId === caller.user.id)) {
    await new Promise(setImmediate);
  }
  return async (): Promise<string> => {
    await socket.write(bytes);
    const { status, body: returned } = await socket.response();
    socket.close();
    return status < 400 ? String(status) : `${status} ${(JSON.parse(returned) as { message: string }).message}`;
  };
}

const ACCOUNT = { email: 'back-door@example.org', name: 'Eve', role: 'admin', password: 'a way back in' };

describe('a request with a late body is authorized again when the body has arrived', () => {
  test('returns 401 and gives no access if the user was disabled in the meantime', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    const token = await tokenOf(hub, admin.user);
    const held = [
      await heldRequest(hub, admin, 'POST /api/v1/users', ACCOUNT),
      await heldRequest(hub, token, 'POST /api/v1/invitations', { email: 'eve@example.org', role: 'admin' }),
      await heldRequest(hub, await signIn(hub, admin.user), 'POST /api/v1/me/tokens', { name: 'mine' }),
    ];
    await hub.admin.raw('POST', `/users/${admin.user.id}/deactivation`);
    for (const finish of held) expect(await finish()).toStartWith('401 ');
    const users = await adminJson<{ items: { email: string }[] }>(hub, 'GET', '/users');
    expect(users.body.items.map(({ email }) => email)).toEqual([admin.user.email]);
    expect((await adminJson(hub, 'GET', '/invitations')).body.items).toEqual([]);
  });

  test('returns 403 if an admin was changed to a member in the meantime', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    const finish = await heldRequest(hub, admin, 'POST /api/v1/users', ACCOUNT);
    await hub.admin.raw('PATCH', `/users/${admin.user.id}`, { role: 'member' });
    expect(await finish()).toBe('403 Only workspace admins can do this. Ask an admin.');
  });

  test('returns 401 if the session or token ended in the meantime', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const session = await memberOf(hub, id);
    const token = await tokenOf(hub, session.user);
    const held = [
      await heldRequest(hub, session, `POST /api/v1/hubs/${id}/messages`, { text: 'late' }),
      await heldRequest(hub, token, `POST /api/v1/hubs/${id}/messages`, { text: 'late' }),
    ];
    const tokens = await session.json<{ items: { id: string }[] }>('GET', '/me/tokens');
    for (const each of tokens.body.items) await session.json('DELETE', `/me/tokens/${each.id}`);
    await session.json('DELETE', '/session');
    for (const finish of held) expect(await finish()).toStartWith('401 ');
  });

  test('succeeds if the user still has the right', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    const finish = await heldRequest(hub, admin, 'POST /api/v1/users', ACCOUNT);
    expect(await finish()).toBe('201');
  });
});
