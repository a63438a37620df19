import { describe, expect, test } from 'bun:test';
import { openRaw, rawHead } from '../../test/support/raw-request.ts';
import { startTestHub, type TestHub } from '../../test/support/test-hub.ts';
import { adminJson, memberOf, signedIn, signIn, tokenOf, type UserCaller } from '../../test/support/users.ts';

/**
 * Starts a request and holds back its body, which the test sends later, within the limit for slow bodies. Resolves once
 * the request is authenticated, as shown by the first use of the session or token.
 */
async function heldRequest(hub: TestHub, caller: UserCaller, line: string, body: object) {
  const bytes = JSON.stringify(body);
  const socket = await openRaw(hub.url);
  const own = Object.entries(caller.headers).map(([name, value]) => `${name}: ${value}`);
  const fixed = ['host: hub', 'content-type: application/json', `content-length: ${bytes.length}`];
  hub.deps.credentialUse.take();
  await socket.write(rawHead(`${line} HTTP/1.1`, ...own, ...fixed));
  while (!hub.deps.credentialUse.take().some(({ personId }) => personId === caller.user.id)) {
    await new Promise(setImmediate);
  }
  return async (): Promise<string> => {
    await socket.write(bytes);
    const { status, text } = await socket.response();
    socket[Symbol.dispose]();
    return status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { message: string }).message}`;
  };
}

const ACCOUNT = { email: 'back-door@example.org', name: 'Eve', role: 'admin', password: 'a way back in' };

describe('a request with a late body is authorized again when the body has arrived', () => {
  test('returns 401 and gives no access if the user was disabled in the meantime', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    const token = await tokenOf(hub, admin.user);
    const held = [
      await heldRequest(hub, admin, 'POST /api/v1/people', ACCOUNT),
      await heldRequest(hub, token, 'POST /api/v1/invitations', { email: 'eve@example.org', role: 'admin' }),
      await heldRequest(hub, await signIn(hub, admin.user), 'POST /api/v1/me/tokens', { name: 'mine' }),
    ];
    await hub.admin.raw('POST', `/people/${admin.user.id}/deactivation`);
    for (const finish of held) expect(await finish()).toStartWith('401 ');
    const users = await adminJson<{ items: { email: string }[] }>(hub, 'GET', '/people');
    expect(users.body.items.map(({ email }) => email)).toEqual([admin.user.email]);
    expect((await adminJson(hub, 'GET', '/invitations')).body.items).toEqual([]);
  });

  test('returns 403 if an admin was changed to a member in the meantime', async () => {
    await using hub = await startTestHub();
    const admin = await signedIn(hub, { role: 'admin' });
    const finish = await heldRequest(hub, admin, 'POST /api/v1/people', ACCOUNT);
    await hub.admin.raw('PATCH', `/people/${admin.user.id}`, { role: 'member' });
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
    const finish = await heldRequest(hub, admin, 'POST /api/v1/people', ACCOUNT);
    expect(await finish()).toBe('201');
  });
});
