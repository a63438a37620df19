import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { outcomeOf } from '@hub/testkit/admin';
import { type ProviderAccount, startIdentityProvider } from '@hub/testkit/in-process/identity-provider';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, postJson, redeem, trySignIn } from '@hub/testkit/in-process/users';
import { RedirectBrowser } from '../../../test/redirect-browser.ts';
import type { ProviderSettings } from '../../platform/config.ts';
import { checkIdentities } from './provider-sign-in.ts';

const ADA: ProviderAccount = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' };

let provider: ReturnType<typeof startIdentityProvider>;
let hub: TestHub;
let serving: Disposable;

async function start(settings: Partial<ProviderSettings> = {}): Promise<void> {
  provider = startIdentityProvider();
  hub = await startTestHub({ provider: { ...provider.settings, ...settings } });
  await createUser(hub, { name: 'Olga Owner', role: 'owner' });
  serving = await provider.serve(hub.url);
}

afterEach(async () => {
  serving[Symbol.dispose]();
  await hub[Symbol.asyncDispose]();
});

/** Signs in at the provider, and returns what the browser gets in the end. */
async function signIn(
  account: ProviderAccount | null,
  { then = '/stream', browser = new RedirectBrowser(), confirm = '' } = {},
) {
  provider.current = account;
  const { url } = await browser.open(`${hub.url}/sign-in?${confirm}then=${encodeURIComponent(then)}`, isInHub);
  const cookie = [...(browser.cookies.get(url.host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const { me } = (await (await hub.fetch('/api/v1/session', { headers: { cookie } })).json()) as {
    me: { id: string; name: string; email: string; role: string } | null;
  };
  return { me, path: url.pathname + url.search, problem: url.searchParams.get('sign-in'), cookie, browser };
}

const isInHub = (url: URL): boolean => url.origin === hub.url && !url.pathname.startsWith('/sign-in');

const invite = (more = {}) => hub.admin.raw('POST', '/invitations', { email: ADA.email, ...more });
const isSignedIn = async (cookie: string) => (await hub.fetch('/api/v1/me', { headers: { cookie } })).status === 200;
/** Creates a token in the session of this cookie. */
const createToken = (cookie: string) => postJson(hub, '/me/tokens', { name: 'script' }, { cookie, origin: hub.url });

describe('signing in with a provider', () => {
  beforeEach(() => start());

  test('links the account with the same verified e-mail address, then knows it by its subject', async () => {
    const ada = await createUser(hub, { name: 'Ada', email: 'ada@example.org' });
    const expected = { me: { id: ada.id, name: 'Ada' }, path: '/stream', problem: null };
    expect(await signIn({ ...ADA, email: 'ADA@example.org' })).toMatchObject(expected);
    expect((await signIn({ ...ADA, email: 'new-name@example.org', email_verified: false })).me?.id).toBe(ada.id);
    const linked = { details: { issuer: provider.issuer, subject: 'ada-1' } };
    expect((await hub.admin.audit('?action=identity.linked')).items).toMatchObject([linked]);
    // The password still works.
    expect((await trySignIn(hub, ada)).status).toBe(201);
  });

  test('creates an account for an invitation, with its Hubs, and for nobody else', async () => {
    expect((await signIn(ADA)).problem).toBe('no-account');
    const { id: hubId } = await hub.admin.createHub('Releases');
    await invite({ hubIds: [hubId], role: 'admin' });
    const { me, cookie } = await signIn(ADA);
    expect(me).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.org', role: 'admin' });
    const hubs = await hub.fetch('/api/v1/hubs', { headers: { cookie } });
    expect(await hubs.json()).toMatchObject({ items: [{ id: hubId, isMember: true }] });
    // Nobody can guess the password of an account that has none.
    for (const password of ['', ' ', 'correct horse battery staple'])
      expect((await trySignIn(hub, { email: 'ada@example.org', password })).status).not.toBe(201);
  });

  test.each([
    ['an address that is not verified', { ...ADA, email_verified: false }, 'unverified'],
    ['another account with the address of a linked one', { ...ADA, sub: 'mallory' }, 'other-account'],
    ['a disabled account', { ...ADA, sub: 'bob-1', email: 'bob@example.org' }, 'disabled'],
    ['nobody: the user has canceled', null, 'canceled'],
  ])('rejects %s', async (_, account, problem) => {
    const bob = await createUser(hub, { name: 'Bob', email: 'bob@example.org' });
    await hub.admin.raw('POST', `/users/${bob.id}/deactivation`);
    await createUser(hub, { name: 'Ada', email: 'ada@example.org' });
    if (problem === 'other-account') await signIn(ADA);
    expect(await signIn(account)).toMatchObject({ me: null, problem });
  });

  test('gives a name with a number to the second user of a name', async () => {
    await createUser(hub, { name: 'Ada Lovelace' });
    await invite();
    expect((await signIn(ADA)).me?.name).toBe('Ada Lovelace 2');
  });

  test.each([
    ['//evil.example.org', '/'],
    ['https://evil.example.org/', '/'],
    ['/\\evil.example.org', '/'],
    ['/.//x//evil.example.org/', '/x//evil.example.org/'],
    ['/hubs/hub_1?open=msg_1', '/hubs/hub_1?open=msg_1'],
  ])('opens %s as %s afterwards', async (then, path) => {
    await invite();
    expect((await signIn(ADA, { then })).path).toBe(path);
  });

  test('rejects a callback in another browser, a second use of it, and one with another state', async () => {
    await invite();
    provider.current = ADA;
    const browser = new RedirectBrowser();
    const { url } = await browser.open(`${hub.url}/sign-in`, ({ pathname }) => pathname === '/sign-in/callback');
    const pending = new Map(browser.cookies.get(url.host));
    const finish = async (cookies = pending, address = url.href) => {
      browser.cookies.set(url.host, new Map(cookies));
      return (await browser.open(address, isInHub)).url.searchParams.get('sign-in');
    };
    expect(await finish(new Map())).toBe('failed');
    expect(await finish(pending, url.href.replace(/state=[^&]*/, 'state=other'))).toBe('failed');
    expect([await finish(), await finish()]).toEqual([null, 'failed']);
  });

  test.each<[what: string, path: string, change: (body: Record<string, unknown>) => unknown]>([
    ['a token with another signature', '/token', (body) => forge(body, {}, {}, 'A'.repeat(8))],
    ['a token of another nonce', '/token', (body) => forge(body, { nonce: 'other' })],
    ['a token without a signature', '/token', (body) => forge(body, {}, { alg: 'none' })],
    ['no ID token', '/token', (body) => delete body.id_token],
    ['the claims of another user', '/me', (body) => Object.assign(body, { sub: 'other' })],
  ])('rejects %s', async (_, path, change) => {
    await invite();
    provider.change = (requested, body) => requested === path && change(body);
    expect(await signIn(ADA)).toMatchObject({ me: null, problem: 'failed' });
    provider.change = null;
    expect((await signIn(ADA)).problem).toBeNull();
  });

  test('says so while the provider is away, which passwords do not need, and works again afterwards', async () => {
    const ada = await createUser(hub, { name: 'Ada', email: 'ada@example.org' });
    provider.isAway = true;
    expect(await signIn(ADA)).toMatchObject({ me: null, problem: 'unavailable' });
    expect((await trySignIn(hub, ada)).status).toBe(201);
    provider.isAway = false;
    hub.clock.advance(5_000);
    expect((await signIn(ADA)).me?.id).toBe(ada.id);
  });

  test('the status has the difference of the clocks, and looks the provider up again', async () => {
    const statusOf = async () => (await hub.admin.status()).provider;
    const aheadMs = hub.clock.now() - Date.now();
    const { problem, clockDifferenceMs } = (await statusOf()) ?? {};
    expect(problem).toBeNull();
    expect(Math.abs((clockDifferenceMs ?? 0) - aheadMs)).toBeLessThan(5_000);
    provider.isAway = true;
    hub.clock.advance(5_000);
    expect((await statusOf())?.problem).toBeString();
    provider.isAway = false;
    hub.clock.advance(5_000);
    expect((await statusOf())?.problem).toBeNull();
  });

  test('signs out at the provider, which sends the browser back, or says that it does not offer that', async () => {
    await invite();
    const { browser } = await signIn(ADA);
    const { visited } = await browser.open(`${hub.url}/sign-out`);
    expect(visited[1]?.pathname).toBe('/session/end');
    expect(visited[1]?.searchParams.get('post_logout_redirect_uri')).toBe(`${hub.url}/`);
    provider.change = (_, body) => delete body.end_session_endpoint;
    hub.clock.advance(5_000);
    await hub.admin.status();
    expect((await browser.open(`${hub.url}/sign-out`)).visited[1]?.search).toBe('?sign-in=not-offered');
  });

  test('starts a new session and ends the one before', async () => {
    await invite();
    const { cookie, browser } = await signIn(ADA);
    const again = await signIn(ADA, { browser });
    expect([await isSignedIn(cookie), await isSignedIn(again.cookie)]).toEqual([false, true]);
  });

  test('is what confirms changes of a user without a password', async () => {
    await invite();
    const { cookie, browser } = await signIn(ADA);
    hub.clock.advance(15 * 60_000 + 1);
    expect((await createToken(cookie)).status).toBe(403);
    // The provider lets in without asking, as it would anyone at an unlocked browser.
    expect((await createToken((await signIn(ADA, { browser })).cookie)).status).toBe(403);
    const again = await browser.open(`${hub.url}/sign-in?confirm&then=/settings`, isInHub);
    expect(again.visited.find(({ pathname }) => pathname === '/auth')?.search).toContain('prompt=login');
    const [[name, value] = []] = [...(browser.cookies.get(again.url.host) ?? [])];
    expect((await createToken(`${name}=${value}`)).status).toBe(201);
  });
});

/** Changes the claims of an ID token, which keeps its signature, except for its end. */
function forge(response: Record<string, unknown>, claims: object, header: object = {}, end = ''): void {
  const [head = '', body = '', signature = ''] = String(response.id_token).split('.');
  const change = (part: string, changes: object) => {
    const changed = { ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...changes };
    return Buffer.from(JSON.stringify(changed)).toString('base64url');
  };
  const signed = 'alg' in header ? '' : signature.slice(0, signature.length - end.length) + end;
  response.id_token = [change(head, header), change(body, claims), signed].join('.');
}

test('with domains, only users with a verified address in one of them sign in, known ones included', async () => {
  await start({ oidcAllowedDomains: ['Example.org'], oidcSignUp: 'auto' });
  expect((await signIn(ADA)).problem).toBeNull();
  for (const changes of [{ email: 'ada@sub.example.org' }, { email: 'example.org@x.org' }, { email_verified: false }])
    expect([changes, (await signIn({ ...ADA, ...changes })).problem]).toEqual([changes, 'not-allowed']);
});

describe('with groups', () => {
  beforeEach(() =>
    start({ oidcAllowedGroups: ['staff'], oidcAdminGroups: ['ops'], oidcSignUp: 'auto', passwordSignIn: 'off' }),
  );
  const check = () => {
    hub.clock.advance(31 * 60_000);
    if (!hub.deps.provider) throw new Error('There is no provider');
    return checkIdentities({ ...hub.deps, provider: hub.deps.provider });
  };

  test('only their users sign in, and the groups decide who is an admin', async () => {
    expect((await signIn({ ...ADA, groups: ['guests'] })).problem).toBe('not-allowed');
    expect((await signIn(ADA)).problem).toBe('not-allowed');
    expect((await signIn({ ...ADA, groups: ['staff', 'ops'] })).me?.role).toBe('admin');
    expect((await signIn({ ...ADA, groups: ['staff'] })).me?.role).toBe('member');
  });

  test('a user who leaves them is signed out at the next check, tokens included', async () => {
    const { browser } = await signIn({ ...ADA, groups: ['staff'] });
    const { cookie } = await signIn({ ...ADA, groups: ['staff'] }, { browser, confirm: 'confirm&' });
    const { body } = await createToken(cookie);
    const takesToken = async () =>
      (await hub.fetch('/api/v1/me', { headers: { authorization: `Bearer ${body.token}` } })).status === 200;
    await check();
    expect([await isSignedIn(cookie), await takesToken()]).toEqual([true, true]);
    provider.accounts.set('ada-1', { ...ADA, groups: [] });
    await check();
    expect([await isSignedIn(cookie), await takesToken()]).toEqual([false, false]);
    provider.accounts.set('ada-1', { ...ADA, groups: ['staff'] });
    expect((await signIn({ ...ADA, groups: ['staff'] })).problem).toBeNull();
  });

  test('a user whom the provider has removed is signed out; while it is away, nobody is', async () => {
    const { cookie } = await signIn({ ...ADA, groups: ['staff', 'ops'] });
    provider.isAway = true;
    await check();
    expect(await isSignedIn(cookie)).toBe(true);
    provider.isAway = false;
    provider.accounts.delete('ada-1');
    await check();
    expect(await isSignedIn(cookie)).toBe(false);
  });

  test('no password signs in, but a reset link of the local admin does', async () => {
    const { me } = await signIn({ ...ADA, groups: ['staff'] });
    expect(outcomeOf(await trySignIn(hub, { email: ADA.email, password: 'correct horse battery staple' }))).toBe(
      '403 Passwords are turned off. Sign in with Example ID.',
    );
    const { link } = await hub.admin.request('POST /users/{userId}/password-reset', { userId: me?.id ?? '' });
    const reset = { token: link.split('#')[1], password: 'a new and long password' };
    expect((await redeem(hub, reset)).status).toBe(201);
    expect(await (await hub.fetch('/api/v1/session')).json()).toEqual({
      me: null,
      provider: { name: 'Example ID', isOnly: true, isDirect: false },
    });
  });
});
