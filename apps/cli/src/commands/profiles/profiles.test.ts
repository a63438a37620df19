import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { temporaryHome } from '@hub/testkit/cli/files';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions } from '@hub/testkit/cli/run-hubctl';
import { createUser, newTokenOf, type TestUser } from '@hub/testkit/in-process/users';
import { errorResponse, startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';

describe('profiles', () => {
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
      expect((await home.hubctl(['profiles', 'use'], { responses: ['play'] })).stdout).toContain(
        'https://play.example',
      );
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
});

describe('tokens', () => {
  let on: HubctlOnHub;
  let ada: TestUser;
  let env: Record<string, string>;
  const home = temporaryHome();
  beforeAll(async () => {
    on = await startHubctl();
    ada = await createUser(on.hub, { role: 'admin' });
    env = { ...home.env, HUB_ADMIN_SOCKET: '', HUB_URL: on.hub.url, HUB_TOKEN: await newTokenOf(on.hub, ada) };
  });
  afterAll(() => {
    home[Symbol.dispose]();
    return on.stop();
  });
  const hubctl = (argv: string[], options: RunOptions = {}) =>
    on.hubctl(argv, { ...options, env: { ...env, ...options.env } });

  describe('HUB_TOKEN', () => {
    test('is the login of a script: commands run as its user, without a profile', async () => {
      const { stdout, code } = await hubctl(['whoami']);
      expect(code).toBe(0);
      expect(stdout).toContain(ada.email);
      expect(stdout).toContain('from HUB_TOKEN');
      expect((await hubctl(['whoami', '--json'])).json()).toMatchObject({ profile: null, user: { email: ada.email } });
    });

    test('needs HUB_URL, gives way to --local, and takes precedence over HUB_PROFILE', async () => {
      const missing = await hubctl(['hubs', 'list', '--json'], { env: { HUB_URL: '' } });
      expect(errorOf(missing)).toMatchObject({ exitCode: 2, message: expect.stringContaining('HUB_URL is not') });
      expect((await hubctl(['hubs', 'list', '--local', '--data-dir', '/nonexistent'])).code).toBe(3);
      expect((await hubctl(['hubs', 'list'], { env: { HUB_PROFILE: 'nowhere' } })).code).toBe(0);
    });

    test('that is malformed, revoked or unknown causes exit code 4, and never appears in the output', async () => {
      for (const token of ['hub_live_secret', buildToken(PERSONAL_TOKEN_PREFIX, 'k7'.repeat(17))]) {
        const ran = await hubctl(['hubs', 'list', '--json'], { env: { HUB_TOKEN: token } });
        expect(errorOf(ran)).toMatchObject({
          exitCode: 4,
          hint: expect.stringContaining(`Unset HUB_TOKEN, log in with hubctl login ${on.hub.url}`),
        });
        expect(ran.stdout + ran.stderr).not.toContain(token);
      }
      const cut = await hubctl(['hubs', 'list', '--json'], { env: { HUB_TOKEN: 'hub_pat_x' } });
      expect(errorOf(cut)).toMatchObject({ exitCode: 4, message: expect.stringContaining('incomplete or mistyped') });
    });
  });

  describe('tokens', () => {
    const create = (...flags: string[]) =>
      hubctl(['tokens', 'create', '--email', ada.email, '--password-stdin', ...flags], { stdin: ada.password });

    test('create prints a new token that works', async () => {
      const { stdout } = await create('--name', 'backup job', '--expires-in', '90d');
      expect(stdout).toMatch(/^hub_pat_\w{40}\n$/);
      const token = stdout.trim();
      expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(0);
      const listed = (await hubctl(['tokens', 'list', '--json'])).json<{ items: { name: string }[] }>();
      expect(listed.items.map(({ name }) => name)).toContain('backup job');
      expect(JSON.stringify(listed)).not.toContain(token);
    });

    test('create asks for the password of the login at a terminal, and rejects a wrong one with exit code 4', async () => {
      const ran = await hubctl(['tokens', 'create'], { responses: ['laptop', ada.email, ada.password] });
      expect(ran).toMatchObject({
        code: 0,
        asked: ['Name of the token:', expect.any(String), `Password of ${ada.email}:`],
      });
      const wrong = await hubctl(['tokens', 'create', '--name', 'x', '--email', ada.email, '--password-stdin'], {
        stdin: 'not the password',
      });
      expect(wrong.code).toBe(4);
    });

    test('revoke asks for the name and the password, and ends the token', async () => {
      const token = (await create('--name', 'leaked')).stdout.trim();
      const { email, password } = ada;
      expect((await hubctl(['tokens', 'revoke', 'leaked'])).code).toBe(2);
      expect(await hubctl(['tokens', 'revoke', 'leaked', '--yes', '--email', email])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--password-stdin'),
      });
      expect((await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leak'] })).code).toBe(1);
      const wrong = await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leaked', email, 'not the password'] });
      expect(wrong.code).toBe(4);
      expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(0);
      const ran = await hubctl(['tokens', 'revoke', 'leaked'], { responses: ['leaked', email, password] });
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Revoked token leaked pat_/) });
      expect((await hubctl(['whoami'], { env: { HUB_TOKEN: token } })).code).toBe(4);
      expect((await hubctl(['tokens', 'revoke', 'unknown', '--yes'])).code).toBe(1);
    });
  });

  describe('audit', () => {
    test('lists entries, newest first, with filters', async () => {
      const key = await on.issue('audited');
      await on.hub.admin.revokeKey(key.id);
      const actions = async (...flags: string[]) =>
        (await hubctl(['audit', '--json', ...flags]))
          .json<{ items: { action: string }[] }>()
          .items.map((e) => e.action);
      expect(await actions('--target', key.id)).toEqual(['key.revoked', 'key.issued']);
      expect(await actions('--target', key.id, '-n', '1')).toEqual(['key.revoked']);
      expect(await actions('--target', key.id, '--limit', '1')).toEqual(['key.revoked']);
      expect(await actions('--action', 'key.issued', '--target', key.id)).toEqual(['key.issued']);
      expect(await actions('--since', '2090-01-01T00:00Z')).toEqual([]);
      expect((await actions('--all', '--since', '1h')).length).toBeGreaterThan(2);
      const ran = await hubctl(['audit', '-n', '1', '--target', key.id]);
      expect(ran.stdout).toContain('key.revoked');
      expect(ran.stderr).toContain('add --all or --limit COUNT');
    });

    test('causes exit code 2 for invalid options, and exit code 4 for members', async () => {
      for (const flags of [
        ['-n', '0'],
        ['--since', 'soon'],
        ['--action', 'key.borrowed'],
      ]) {
        expect((await hubctl(['audit', ...flags])).code).toBe(2);
      }
      expect((await hubctl(['audit', '--action', 'key.borrowed'])).stderr).toMatch(/^error: --action .* key\.issued/);
      expect((await hubctl(['audit', '--action', 'key.isued'])).stderr).toEndWith('\nDid you mean key.issued?\n');
      const member = await newTokenOf(on.hub, await createUser(on.hub, { role: 'member' }));
      expect((await hubctl(['audit'], { env: { HUB_TOKEN: member } })).code).toBe(4);
    });
  });
});
