import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { cookieOf, createUser, signIn, type TestUser, trySignIn } from '@hub/testkit/in-process/users';

const WRONG = 'Incorrect e-mail address or password. Check both and try again.';

let hub: TestHub;
let ada: TestUser;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub, { name: 'Ada Lovelace' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const messageOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => `${status} ${body.message}`;

describe('signing in', () => {
  test('with e-mail address and password returns the user and sets a session cookie', async () => {
    const response = await trySignIn(hub, ada);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: ada.id,
      name: 'Ada Lovelace',
      email: ada.email,
      role: 'member',
      createdAt: '2026-03-01T09:30:00.000Z',
      workspace: { name: 'Hub' },
    });
    expect(response.cookies).toEqual([
      expect.stringMatching(/^hub_session=hub_ses_[0-9A-Za-z]{40}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('accepts the e-mail address in any letter case and the password in any Unicode form', async () => {
    const password = 'caffé latte';
    await hub.admin.raw('POST', '/users', { email: ' Grace@Example.ORG ', name: 'Grace', password });
    const email = 'gRACE@example.org';
    expect((await trySignIn(hub, { email, password: password.normalize('NFD') })).status).toBe(201);
    expect((await trySignIn(hub, { email, password: 'Caffé latte' })).status).toBe(401);
  });

  test('does not reveal whether the e-mail address or the password was wrong', async () => {
    expect(messageOf(await trySignIn(hub, { ...ada, password: 'wrong password' }))).toBe(`401 ${WRONG}`);
    expect(messageOf(await trySignIn(hub, { ...ada, email: 'none@example.org' }))).toBe(`401 ${WRONG}`);
    expect(messageOf(await trySignIn(hub, { ...ada, email: 'none' }))).toBe(`401 ${WRONG}`);
  });

  test('verifies a hash even if the account does not exist, so that the time reveals nothing', async () => {
    const compared: string[] = [];
    const passwords = {
      hash: async (password: string) => `hash of ${password}`,
      verify: async (password: string, hash: string) => {
        compared.push(hash);
        return hash === `hash of ${password}`;
      },
    };
    await using counting = await startTestHub({ passwords });
    const known = await createUser(counting);
    await trySignIn(counting, { ...known, password: 'wrong password' });
    await trySignIn(counting, { ...known, email: 'none@example.org' });
    expect(compared).toHaveLength(2);
    // Even the password that matches this hash does not sign in to an account that does not exist.
    const nobodys = compared[1]?.replace('hash of ', '');
    expect((await trySignIn(counting, { email: 'none@example.org', password: nobodys })).status).toBe(401);
  });

  test('tells disabled users that they are disabled, but only with the correct password', async () => {
    await hub.admin.raw('POST', `/users/${ada.id}/deactivation`);
    expect(messageOf(await trySignIn(hub, ada))).toBe('401 This account was disabled. Ask an admin of the workspace.');
    expect(messageOf(await trySignIn(hub, { ...ada, password: 'wrong password' }))).toBe(`401 ${WRONG}`);
  });

  test('returns 403 from a page of another site; programs need no Origin', async () => {
    const rejected = await trySignIn(hub, ada, { origin: 'https://evil.example' });
    expect(messageOf(rejected)).toStartWith('403 The Origin https://evil.example is another site');
    expect(rejected.cookies).toEqual([]);
    expect((await trySignIn(hub, ada, { origin: hub.origin })).status).toBe(201);
    expect((await trySignIn(hub, ada)).status).toBe(201);
  });

  test('replaces the session of the request, and never accepts a planted cookie as a session', async () => {
    const former = await signIn(hub, ada);
    const again = await trySignIn(hub, ada, { cookie: former.headers.cookie ?? '' });
    expect((await former.json('GET', '/me')).status).toBe(401);
    const cookie = again.cookies[0]?.split(';')[0] ?? '';
    expect(cookie).not.toBe(former.headers.cookie);
    expect((await hub.fetch('/api/v1/me', { headers: { cookie } })).status).toBe(200);
  });

  test('is in the audit log with the address; a failure is only in the server log, without the input', async () => {
    hub.setClientAddress('198.51.100.7');
    await trySignIn(hub, { email: ada.email, password: 'a wrong secret' });
    await trySignIn(hub, { email: 'a secret in the wrong field', password: 'x' });
    expect(hub.logged.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 'Sign-in failed', fields: { address: '198.51.100.7', userId: ada.id } },
      { level: 'warn', message: 'Sign-in failed', fields: { address: '198.51.100.7', userId: null } },
    ]);
    expect(JSON.stringify(hub.logged)).not.toContain('secret');
    await signIn(hub, ada);
    const { items } = await hub.admin.audit();
    expect(items[0]).toMatchObject({
      action: 'session.started',
      actor: { kind: 'user', id: ada.id, name: ada.name },
      address: '198.51.100.7',
    });
    expect(items.filter(({ action }) => action.startsWith('session'))).toHaveLength(1);
  });
});

describe('writes with a cookie', () => {
  const rename = (headers: Record<string, string>) =>
    hub.fetch('/api/v1/me', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"name":"Grace"}',
    });

  test('must come from a page of this server: a missing or foreign Origin returns 403, and nothing changes', async () => {
    const cookie = cookieOf(await rawSignIn());
    for (const origin of ['https://evil.example', 'null', `${hub.origin}.evil.example`, `${hub.origin}/`]) {
      expect(`${origin}: ${(await rename({ cookie, origin })).status}`).toBe(`${origin}: 403`);
    }
    expect((await rename({ cookie })).status).toBe(403);
    expect(await (await hub.fetch('/api/v1/me', { headers: { cookie } })).json()).toMatchObject({ name: ada.name });
    expect((await rename({ cookie, origin: hub.origin })).status).toBe(200);
  });

  test('must come from HUB_BASE_URL if it is set', async () => {
    await using secure = await startTestHub({ baseUrl: 'https://hub.example.org' });
    const session = await signIn(secure, await createUser(secure));
    const headers = { cookie: session.headers.cookie ?? '', 'content-type': 'application/json' };
    const sent = (origin: string) =>
      secure.fetch('/api/v1/me', { method: 'PATCH', headers: { ...headers, origin }, body: '{"name":"G"}' });
    const rejected = await sent(secure.url);
    expect(rejected.status).toBe(403);
    expect(await rejected.text()).not.toContain('HUB_BASE_URL');
    expect((await sent('https://hub.example.org')).status).toBe(200);
  });

  const rawSignIn = () =>
    hub.fetch('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    });
});
