import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryHome } from '@hub/testkit/cli/files';
import { createUser, startTestHub, type TestHub } from '@hub/testkit/cli/hub';
import { errorOf } from '@hub/testkit/cli/run-hubctl';
import { errorResponse, startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Returns the home of a new user who has this role and has logged in. */
async function loggedIn(role: 'owner' | 'admin' | 'member') {
  const home = temporaryHome();
  const user = await createUser(hub, { role });
  const ran = await home.hubctl(['login', hub.url, '--profile', role], { responses: [user.email, user.password] });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return { ...home, user };
}

describe('a remote user', () => {
  test('with the role member gets exit code 4 from admin commands', async () => {
    using member = await loggedIn('member');
    const ran = await member.hubctl(['hubs', 'create', 'Not mine', '--json']);
    expect(ran.code).toBe(4);
    expect(errorOf(ran)).toMatchObject({ code: 'forbidden', statusCode: 403 });
  });

  test('sees their account and the server with whoami', async () => {
    using owner = await loggedIn('owner');
    const { id, name, email } = owner.user;
    const ran = await owner.hubctl(['whoami', '--json']);
    expect(ran.json()).toMatchObject({ profile: 'owner', url: hub.url, user: { id, name, email, role: 'owner' } });
    expect((await owner.hubctl(['whoami'])).stdout).toContain(`${name} (${email})`);
  });
});

describe('profiles', () => {
  test('are listed without tokens, marked if current, and switched with use', async () => {
    using home = temporaryHome();
    home.give('work', { url: 'https://work.example', token: 'hub_pat_secret' });
    home.give('play', { url: 'https://play.example', token: 'hub_pat_secret' });
    const ran = await home.hubctl(['profiles']);
    expect(ran.stdout).toMatch(/^ {3}work .*\n\* {2}play /m);
    expect((await home.hubctl(['profiles', 'use', 'work', '--json'])).json()).toMatchObject({ profile: 'work' });
    const list = await home.hubctl(['profiles', 'list', '--json']);
    expect(list.json<{ items: object[] }>().items).toMatchObject([
      { name: 'work', url: 'https://work.example', isCurrent: true },
      { name: 'play', isCurrent: false },
    ]);
    expect(ran.stdout + list.stdout).not.toContain('secret');
    expect((await home.hubctl(['profiles', 'use'], { responses: ['play'] })).stdout).toContain('https://play.example');
  });
});

describe('a post', () => {
  const HUB_API_KEY = buildToken(KEY_PREFIX, 'e1'.repeat(17));

  test('goes to --url, else --profile, HUB_URL or the current profile, and never contains the token', async () => {
    using home = temporaryHome();
    await using named = startPostingServer();
    await using current = startPostingServer();
    await using other = startPostingServer();
    home.give('named', { url: named.url });
    home.give('current', { url: current.url });
    const post = async (flags: string[], env: Record<string, string> = {}) => {
      const ran = await home.hubctl(['post', 'x', ...flags], { env: { HUB_API_KEY, ...env } });
      return /http:\S+(?=\/p\/)/.exec(ran.stdout)?.[0] ?? `${ran.code} ${ran.stderr}`;
    };
    const env = { HUB_URL: other.url };
    expect(await post(['--url', other.url])).toBe(other.url);
    expect(await post(['--profile', 'named'], env)).toBe(named.url);
    expect(await post([], env)).toBe(other.url);
    expect(await post([], { HUB_PROFILE: 'named' })).toBe(named.url);
    expect(await post([])).toBe(current.url);
    for (const { headers } of [...named.requests, ...current.requests, ...other.requests]) {
      expect(headers.get('authorization')).toBe(`Bearer ${HUB_API_KEY}`);
    }
    expect(await post(['--url', other.url, '--profile', 'named'])).toStartWith('2 ');
  });
});

describe('a server on the network', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new TypeError('no'), { code }));

  for (const [code, advice] of [
    ['ECONNREFUSED', 'that the server is running'],
    ['ENOTFOUND', 'Check the URL'],
    ['ECONNRESET', 'Check before you try again'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Check the URL'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'http://'],
  ] as const) {
    test(`causes exit code 3 and a hint for ${code}`, async () => {
      using home = temporaryHome();
      home.give('p', { url: 'https://hub.example.com' });
      const ran = await home.hubctl(['status', '--json'], { fetch: failing(code) });
      expect(ran.code).toBe(3);
      expect(errorOf(ran)).toMatchObject({ code: 'unreachable', message: expect.stringContaining(code) });
      expect(errorOf(ran).hint).toContain(advice);
    });
  }

  test('causes exit code 1 if it redirects, and the token is not forwarded', async () => {
    using home = temporaryHome();
    await using target = startScriptedServer(() => errorResponse(500, 'Asked.'));
    await using server = startScriptedServer(
      () => new Response(null, { status: 308, headers: { location: `${target.url}/api/v1/status` } }),
    );
    home.give('p', { url: server.url });
    const ran = await home.hubctl(['status', '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({
      code: 'redirected',
      hint: expect.stringContaining(`hubctl login ${target.url}`),
    });
    expect(target.requests).toHaveLength(0);
  });

  test('gets the token only in the header, with one warning over plain http', async () => {
    using home = temporaryHome();
    home.give('p', { url: 'http://hub.example.com', token: 'hub_pat_secret' });
    const requests: [string, string | null][] = [];
    const response = (url: string, init: BunFetchRequestInit) => {
      requests.push([url, new Headers(init.headers).get('authorization')]);
      return Promise.resolve(Response.json({ items: [], next: null }));
    };
    const ran = await home.hubctl(['hubs', 'rename', 'x', 'y'], { fetch: response });
    expect(requests.length).toBeGreaterThan(1);
    expect(ran.stderr.match(/Your token is sent to hub\.example\.com unencrypted/g)).toHaveLength(1);
    for (const [url, authorization] of requests) {
      expect(url).toStartWith('http://hub.example.com/api/v1/');
      expect(url).not.toContain('secret');
      expect(authorization).toBe('Bearer hub_pat_secret');
    }
  });
});
