import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { createUser, newTokenOf, type TestUser } from '@hub/testkit/in-process/users';
import { startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf, type RunOptions } from '../../../test/run-hubctl.ts';
import { temporaryHome } from '../../../test/temporary-home.ts';

describe('profiles', () => {
  test('are listed without tokens, marked if current, and switched with use', async () => {
    using home = temporaryHome();
    home.give('work', { url: 'https://work.example', token: 'hub_pat_secret' });
    home.give('play', { url: 'https://play.example', token: 'hub_pat_secret' });
    const ran = await home.hubctl(['profiles']);
    expect(ran.stdout).toMatch(/^ {3}work .*\n\* {2}play /m);
    expect((await home.hubctl(['profiles', 'use', 'work', '--json'])).json()).toMatchObject({ profile: 'work' });
    const list = await home.hubctl(['profiles', 'list', '--json']);
    const work = { name: 'work', url: 'https://work.example', isCurrent: true };
    expect(list.json().items).toMatchObject([work, { name: 'play', isCurrent: false }]);
    expect(ran.stdout + list.stdout).not.toContain('secret');
    const used = await home.hubctl(['profiles', 'use'], { responses: ['play'] });
    expect(used.stdout).toContain('https://play.example');
  });

  test('give posts their server after --url, --profile and HUB_URL, but never their token', async () => {
    using home = temporaryHome();
    await using server = startPostingServer();
    const HUB_API_KEY = buildToken(KEY_PREFIX, 'e1'.repeat(17));
    const [named, current, other] = [`${server.url}/named`, `${server.url}/current`, `${server.url}/other`];
    home.give('named', { url: named });
    home.give('current', { url: current });
    for (const [flags, env, expected] of [
      [`--url ${other}/`, { HUB_URL: named }, other],
      ['--profile named', { HUB_URL: other }, named],
      ['', { HUB_URL: other }, other],
      ['', { HUB_PROFILE: 'named' }, named],
      ['', {}, current],
      [`--url ${other} --profile named`, {}, 2],
    ] as const) {
      const argv = ['post', 'x', ...flags.split(' ').filter(Boolean)];
      const ran = await home.hubctl(argv, { env: { HUB_API_KEY, ...env } });
      expect<unknown>(/http:\S+(?=\/p\/)/.exec(ran.stdout)?.[0] ?? ran.code).toBe(expected);
    }
    const sent = server.requests.map(({ headers }) => headers.get('authorization'));
    expect(new Set(sent.filter((header) => header !== null))).toEqual(new Set([`Bearer ${HUB_API_KEY}`]));
  });

  describe('a server on the network', () => {
    test.each([
      ['ECONNREFUSED', 'that the server is running'],
      ['ENOTFOUND', 'Check the URL'],
      ['ECONNRESET', 'Check before you try again'],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'Check the URL'],
      ['ERR_SSL_WRONG_VERSION_NUMBER', 'http://'],
    ])('causes exit code 3 and a hint for %s', async (code, advice) => {
      using home = temporaryHome();
      home.give('p', { url: 'https://hub.example.com' });
      const fetch = () => Promise.reject(Object.assign(new TypeError('no'), { code }));
      const error = errorOf(await home.hubctl(['status', '--json'], { fetch }));
      const [message, hint] = [expect.stringContaining(code), expect.stringContaining(advice)];
      expect(error).toMatchObject({ exitCode: 3, code: 'unreachable', message, hint });
    });

    test('causes exit code 1 if it redirects, and the token is not forwarded', async () => {
      using home = temporaryHome();
      await using target = startScriptedServer();
      const redirect = { status: 308, headers: { location: `${target.url}/api/v1/status` } };
      await using server = startScriptedServer(() => new Response(null, redirect));
      home.give('p', { url: server.url });
      const hint = expect.stringContaining(`hubctl login ${target.url}`);
      const error = errorOf(await home.hubctl(['status', '--json']));
      expect(error).toMatchObject({ exitCode: 1, code: 'redirected', hint });
      expect(target.requests).toHaveLength(0);
    });

    test('gets the token only in the header, with one warning over plain http', async () => {
      using home = temporaryHome();
      home.give('p', { url: 'http://hub.example.com', token: 'hub_pat_secret' });
      const requests: string[] = [];
      const fetch: RunOptions['fetch'] = async (url, { headers }) => {
        requests.push(`${url.split('?')[0]} with ${new Headers(headers).get('authorization')}`);
        expect(url).not.toContain('secret');
        return Response.json({ items: [], next: null });
      };
      const ran = await home.hubctl(['hubs', 'edit', 'x', '--name', 'y'], { fetch });
      expect(new Set(requests)).toEqual(new Set(['http://hub.example.com/api/v1/hubs with Bearer hub_pat_secret']));
      expect(ran.stderr.match(/Your token is sent to hub\.example\.com unencrypted/g)).toHaveLength(1);
    });
  });
});

describe('a user', () => {
  const on = sharedHubctl();
  const home = temporaryHome();
  let ada: TestUser;
  let env: Record<string, string>;
  beforeAll(async () => {
    ada = await createUser(on.hub, { role: 'admin' });
    env = { ...home.env, HUB_ADMIN_SOCKET: '', HUB_URL: on.hub.url, HUB_TOKEN: await newTokenOf(on.hub, ada) };
  });
  afterAll(() => home[Symbol.dispose]());
  const hubctl = (argv: string[], options: RunOptions = {}) =>
    on.hubctl(argv, { ...options, env: { ...env, ...options.env } });

  describe('HUB_TOKEN', () => {
    test('is the login of a script, needs HUB_URL, gives way to --local, and takes precedence over HUB_PROFILE', async () => {
      expect((await hubctl(['whoami'])).stdout).toContain('from HUB_TOKEN');
      expect((await hubctl(['whoami', '--json'])).json()).toMatchObject({ profile: null, user: { email: ada.email } });
      const missing = await hubctl(['hubs', 'list', '--json'], { env: { HUB_URL: '' } });
      expect(errorOf(missing)).toMatchObject({ exitCode: 2, message: expect.stringContaining('HUB_URL is not') });
      expect((await hubctl(['hubs', 'list', '--local', '--data-dir', '/nonexistent'])).code).toBe(3);
      expect((await hubctl(['hubs', 'list'], { env: { HUB_PROFILE: 'nowhere' } })).code).toBe(0);
    });

    test('that is malformed, revoked or unknown causes exit code 4, and never appears in the output', async () => {
      for (const [token, message] of [
        ['hub_live_secret', ''],
        [buildToken(PERSONAL_TOKEN_PREFIX, 'k7'.repeat(17)), ''],
        ['hub_pat_x', 'incomplete or mistyped'],
      ] as const) {
        const ran = await hubctl(['hubs', 'list', '--json'], { env: { HUB_TOKEN: token } });
        const hint = expect.stringContaining(`${on.hub.url}/settings/tokens`);
        expect(errorOf(ran)).toMatchObject({ exitCode: 4, hint, message: expect.stringContaining(message) });
        expect(ran.stdout + ran.stderr).not.toContain(token);
      }
    });
  });

  describe('audit', () => {
    test('lists entries, newest first, with filters', async () => {
      const key = await on.issue('audited');
      await on.hub.admin.revokeKey(key.id);
      const actions = async (flags: string) =>
        (await hubctl(['audit', '--json', ...flags.split(' ')]))
          .json<{ items: { action: string }[] }>()
          .items.map(({ action }) => action);
      expect(await actions(`--target ${key.id}`)).toEqual(['key.revoked', 'key.issued']);
      expect(await actions(`--target ${key.id} -n 1`)).toEqual(['key.revoked']);
      expect(await actions(`--action key.issued --target ${key.id}`)).toEqual(['key.issued']);
      expect(await actions('--since 2090-01-01T00:00Z')).toEqual([]);
      expect((await actions('--all --since 1h')).length).toBeGreaterThan(2);
      const ran = await hubctl(['audit', '-n', '1', '--target', key.id]);
      expect(ran.stdout).toContain('key.revoked');
      expect(ran.stderr).toContain('add --all or --limit COUNT');
    });

    test('causes exit code 2 for invalid options, and exit code 4 for members', async () => {
      for (const flags of ['-n 0', '--since soon', '--action key.borrowed'])
        expect((await hubctl(['audit', ...flags.split(' ')])).code).toBe(2);
      expect((await hubctl(['audit', '--action', 'key.borrowed'])).stderr).toMatch(/^error: --action .* key\.issued/);
      const member = await newTokenOf(on.hub, await createUser(on.hub, { role: 'member' }));
      expect((await hubctl(['audit'], { env: { HUB_TOKEN: member } })).code).toBe(4);
    });
  });
});
