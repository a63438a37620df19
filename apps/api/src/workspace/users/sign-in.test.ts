import { expect, test } from 'bun:test';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { callerWith, cookieOf, createUser, signIn, trySignIn } from '@hub/testkit/in-process/users';

const WRONG = 'Incorrect e-mail address or password. Check both and try again.';

const hub = perTest(startTestHub);
const ada = perTest(() => createUser(hub, { name: 'Ada Lovelace' }));

test('signing in with e-mail address and password returns the user and sets a session cookie', async () => {
  const response = await trySignIn(hub, ada);
  expect([response.status, response.body]).toEqual([
    201,
    {
      ...{ id: ada.id, name: 'Ada Lovelace', email: ada.email, role: 'member' },
      ...{ createdAt: '2026-03-01T09:30:00.000Z', workspace: { name: 'Hub', maxFileBytes: 26_214_400 } },
    },
  ]);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^hub_session=hub_ses_[0-9A-Za-z]{40}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

// V3.3 of OWASP ASVS 5.0.
test('signing in over HTTPS sets a cookie that is limited to this host and to HTTPS, and hidden from scripts', async () => {
  const origin = 'https://hub.example.org';
  await using other = await startTestHub({ baseUrl: origin });
  const { headers } = await trySignIn(other, await createUser(other), { origin });
  const [cookie] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-hub_session=hub_ses_\w{40}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
});

test('signing in accepts the e-mail address in any letter case and the password in any Unicode form', async () => {
  const password = 'caffé latte';
  await hub.admin.raw('POST', '/users', { email: ' Grace@Example.ORG ', name: 'Grace', password });
  const email = 'gRACE@example.org';
  expect((await trySignIn(hub, { email, password: password.normalize('NFD') })).status).toBe(201);
  expect((await trySignIn(hub, { email, password: 'Caffé latte' })).status).toBe(401);
});

test('signing in verifies a hash even if the account does not exist, so that the time reveals nothing', async () => {
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

test('signing in does not reveal whether the address or the password was wrong, nor that an account is disabled', async () => {
  const signInWith = async (fields: object) => outcomeOf(await trySignIn(hub, { ...ada, ...fields }));
  const wrong = [{ password: 'wrong password' }, { email: 'none@example.org' }, { email: 'none' }];
  for (const fields of wrong) expect(await signInWith(fields)).toBe(`401 ${WRONG}`);
  await hub.admin.raw('POST', `/users/${ada.id}/deactivation`);
  expect(await signInWith({})).toBe('401 This account was disabled. Ask an admin of the workspace.');
  expect(await signInWith({ password: 'wrong password' })).toBe(`401 ${WRONG}`);
});

test('signing in returns 403 from a page of another site; programs need no Origin', async () => {
  const rejected = await trySignIn(hub, ada, { origin: 'https://evil.example' });
  expect(outcomeOf(rejected)).toStartWith('403 The Origin https://evil.example is another site');
  expect(rejected.headers.getSetCookie()).toEqual([]);
});

test('signing in replaces the session of the request, and never accepts a planted cookie as a session', async () => {
  const former = await signIn(hub, ada);
  const cookie = cookieOf(await trySignIn(hub, ada, { cookie: former.headers.cookie ?? '' }));
  expect((await former.json('GET', '/me')).status).toBe(401);
  expect(cookie).not.toBe(former.headers.cookie);
  expect((await hub.fetch('/api/v1/me', { headers: { cookie } })).status).toBe(200);
});

test('a failed sign-in is in the server log with the address, without the input, and not in the audit log', async () => {
  hub.setClientAddress('198.51.100.7');
  await trySignIn(hub, { email: ada.email, password: 'a wrong secret' });
  await trySignIn(hub, { email: 'a secret in the wrong field', password: 'x' });
  const entry = (userId: string | null) => ({ message: 'Sign-in failed', fields: { address: '198.51.100.7', userId } });
  expect(hub.logged.filter(({ level }) => level === 'warn')).toMatchObject([entry(ada.id), entry(null)]);
  expect(JSON.stringify(hub.logged)).not.toContain('secret');
  expect((await hub.admin.audit()).items.filter(({ action }) => action.startsWith('session'))).toEqual([]);
});

test('a write with a cookie must come from a page of this server, or from HUB_BASE_URL if it is set', async () => {
  const baseUrl = 'https://hub.example.org';
  await using behindProxy = await startTestHub({ baseUrl });
  for (const [server, right, wrong] of [
    [hub, hub.origin, ['https://evil.example', 'null', `${hub.origin}.evil.example`, `${hub.origin}/`]],
    [behindProxy, baseUrl, [behindProxy.url]],
  ] as const) {
    const user = await createUser(server, { name: 'Bob Kahn' });
    const { cookie = '' } = (await signIn(server, user)).headers;
    const rename = async (headers: Record<string, string>) => {
      const { status, body } = await callerWith(server, user, { cookie, ...headers }).json('PATCH', '/me', {
        name: 'G',
      });
      if (server === behindProxy) expect(JSON.stringify(body)).not.toContain('HUB_BASE_URL');
      return status;
    };
    for (const origin of wrong) expect([origin, await rename({ origin })]).toEqual([origin, 403]);
    expect(await rename({})).toBe(403);
    expect((await callerWith(server, user, { cookie }).request('GET /me')).name).toBe(user.name);
    expect(await rename({ origin: right })).toBe(200);
  }
});
