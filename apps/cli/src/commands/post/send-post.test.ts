import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { DATA, errorResponse, startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';
import { isLoopback } from '../../runtime/network.ts';

describe('send post', () => {
  const on = sharedHubctl();

  const post = (key: IssuedKey, argv: string[], env: Record<string, string> = {}) =>
    on.hubctl(['post', ...argv], { env: { HUB_API_KEY: key.key, ...env } });

  describe('a post to a real server', () => {
    test('prints ID and web address for each kind, over the local socket and over HTTP', async () => {
      const key = await on.hub.admin.issueKey({ hubId: on.releases.id });
      for (const env of [{}, { HUB_URL: on.hub.url }]) {
        for (const [argv, prefix] of [
          [['Hello'], 'msg'],
          [['note', 'Text', '--title', 'Title'], 'note'],
          [['todo', 'Title', '--due', '2027-01-31T09:00Z', '--priority', 'urgent'], 'todo'],
        ] as const) {
          const ran = await post(key, [...argv], env);
          expect(ran.code).toBe(0);
          expect(ran.stdout).toMatch(new RegExp(`^(${prefix}_\\w{26}) ${on.hub.url}/p/\\1\n$`));
        }
      }
      const json = (await post(key, ['Hello', '--json'])).json();
      expect(Object.keys(json).sort()).toEqual(['conversationId', 'createdAt', 'id', 'url']);
      expect((await on.hubctl(['keys', 'show', key.id, '--json'])).json()).toMatchObject({ postCount: 7 });
    });

    test('causes exit code 5 if it exceeds the rate limit, and shows how many seconds to wait', async () => {
      const key = await on.issue('busy');
      for (let request = 0; request < 60; request += 1) expect((await post(key, ['x'])).code).toBe(0);
      const ran = await post(key, ['x', '--json']);
      expect(ran.code).toBe(5);
      expect(errorOf(ran)).toMatchObject({ code: 'rate_limited', statusCode: 403, retryAfterSeconds: 300 });
      expect((await post(key, ['x'])).stderr).toContain('300 seconds');
    });
  });

  describe('--soft-fail', () => {
    const RUN_DATA: [title: string, argv: string[], options: RunOptions][] = [
      ['an empty standard input', [], { stdin: '' }],
      ['a text that is not UTF-8', [], { stdin: new Uint8Array([0xff]) }],
      ['an empty option value', ['note', 'x', '--title', ''], {}],
      ['a missing file', ['--file', '/nonexistent/text'], {}],
      ['text over the limit', [], { stdin: 'x'.repeat(50_000) }],
      ['a missing key file', ['x', '--key-file', '/nonexistent/key'], {}],
      ['a key that is too short', ['x'], { env: { HUB_API_KEY: 'hub_live_short' } }],
      ['a kind that the key may not post', ['note', 'x'], {}],
      ['a server that is not there', ['x', '--data-dir', '/nonexistent'], {}],
      ['an invalid URL in HUB_URL', ['x'], { env: { HUB_URL: 'hub' } }],
      ['an unknown profile', ['x', '--profile', 'nowhere'], { env: { HOME: '/nonexistent' } }],
    ];
    test.each(RUN_DATA)('warns and exits with 0 for %s', async (_, argv, options) => {
      const { key } = await on.issue('soft');
      const run = (...flags: string[]) =>
        on.hubctl(['post', ...argv, '--soft-fail', ...flags], {
          ...options,
          env: { HUB_API_KEY: key, ...options.env },
        });
      expect(await run()).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^warning: Not posted: /),
      });
      expect(errorOf(await run('--json'))).toMatchObject({ message: expect.any(String), exitCode: 0 });
      const hard = await on.hubctl(['post', ...argv], { ...options, env: { HUB_API_KEY: key, ...options.env } });
      expect(hard.code).toBeGreaterThan(0);
    });

    test('still exits with 2 for an invalid command line', async () => {
      const key = await on.issue('wrong call');
      for (const argv of [
        ['x', 'y'],
        ['x', '--timeout', 'soon'],
        ['x', '--frobnicate'],
        ['x', '--url', 'hub'],
        ['x', '--url', 'https://hub.example.org', '--local'],
        ['note', 'x', '--content', 'y'],
        ['todo', 'x', '--due', 'soon'],
      ]) {
        expect({ argv, code: (await post(key, [...argv, '--soft-fail'])).code }).toEqual({ argv, code: 2 });
      }
    });
  });

  describe('--wait', () => {
    test('reports a block, waits until it ends, and posts once', async () => {
      const { key } = await on.issue('patient');
      let responses = 0;
      await using server = startScriptedServer(() => {
        responses += 1;
        if (responses === 1) return errorResponse(403, 'Blocked.', { 'retry-after': '1' });
        const data = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };
        return Response.json({ success: true, data }, { status: 201 });
      });
      const ran = await runHubctl(['post', 'x', '--wait', '--json'], {
        env: { HUB_API_KEY: key, HUB_URL: server.url },
      });
      expect(ran.code).toBe(0);
      expect(ran.json()).toMatchObject({ id: 'msg_1' });
      expect(ran.stderr).toContain('Retrying in 1 second');
      expect(responses).toBe(2);
    });

    test('with --wait-max, fails at once for a longer block', async () => {
      const { key } = await on.issue('limited');
      await using server = startScriptedServer(() => errorResponse(403, 'Blocked.', { 'retry-after': '61' }));
      const env = { HUB_API_KEY: key, HUB_URL: server.url };
      expect((await runHubctl(['post', 'x', '--wait-max', '1m'], { env })).code).toBe(5);
      expect(server.requests).toHaveLength(1);
      for (const waitMax of ['1', 'm', '1y', '-1s']) {
        expect((await runHubctl(['post', 'x', `--wait-max=${waitMax}`], { env })).code).toBe(2);
      }
    });
  });
});

const KEY = buildToken(KEY_PREFIX, 'e1'.repeat(17));

describe('the server', () => {
  const env = { HUB_API_KEY: KEY };

  test('comes from --url, else from HUB_URL; the web address begins with it', async () => {
    await using first = startPostingServer();
    await using second = startPostingServer();
    const ran = await runHubctl(['post', 'x', '--json', '--url', `${first.url}/`], {
      env: { ...env, HUB_URL: second.url },
    });
    expect(ran.json()).toMatchObject({ ...DATA, url: `${first.url}/p/msg_1` });
    expect(second.requests).toHaveLength(0);
    const prefixed = await runHubctl(['post', 'x'], { env: { ...env, HUB_URL: `${second.url}/hub/api/public/v1` } });
    expect(second.requests[0]?.path).toBe('/hub/api/public/v1/messages');
    expect(prefixed.stdout).toBe(`msg_1 ${second.url}/hub/p/msg_1\n`);
  });

  test('causes exit code 3 if it does not respond within --timeout', async () => {
    const never = (_: string, { signal }: BunFetchRequestInit) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const argv = ['post', 'x', '--json', '--timeout', '0.01', '--url', 'https://hub.example.com'];
    const ran = await runHubctl(argv, { env, fetch: never });
    expect(ran.code).toBe(3);
    expect(errorOf(ran)).toMatchObject({ code: 'timeout', mayHaveCreated: true });
    for (const timeout of ['0', '-1', 'x', '1e3', '99999999']) {
      expect((await runHubctl(['post', 'x', `--timeout=${timeout}`], { env, fetch: never })).code).toBe(2);
    }
  });

  test('causes exit code 2 if its URL is invalid, and an error that does not contain the URL', async () => {
    for (const url of [
      'hub.example.com',
      'ftp://hub.example.com',
      'https://user:secret@hub.example.com',
      'https://h/?key=secret',
    ]) {
      const ran = await runHubctl(['post', 'x', '--json'], { env: { ...env, HUB_URL: url } });
      expect(ran.code).toBe(2);
      expect(errorOf(ran).message).toStartWith('HUB_URL ');
      expect(ran.stdout + ran.stderr).not.toContain('secret');
    }
  });

  test('causes a warning over plain http, except on this machine', async () => {
    const response = () => Promise.resolve(Response.json({ success: true, data: DATA }, { status: 201 }));
    const warnings = async (url: string) =>
      (await runHubctl(['post', 'x', '--json'], { env: { ...env, HUB_URL: url }, fetch: response })).stderr;
    expect(await warnings('http://hub.example.com:3000')).toContain('hub.example.com:3000 unencrypted');
    for (const url of [
      'https://hub.example.com',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
    ]) {
      expect(await warnings(url)).toBe('');
    }
    expect(isLoopback('127.0.0.1.evil.example')).toBe(false);
    expect(isLoopback('localhost.evil.example')).toBe(false);
  });

  test('causes exit code 1 if it redirects, and the key is not forwarded', async () => {
    await using target = startPostingServer();
    await using server = startScriptedServer(
      () => new Response(null, { status: 307, headers: { location: target.url } }),
    );
    const ran = await runHubctl(['post', 'x', '--json', '--url', server.url], { env });
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ code: 'redirected', statusCode: 307 });
    expect(errorOf(ran).message).toEndWith('set the URL (--url, HUB_URL) to the URL of the Hub server itself.');
    expect(target.requests).toHaveLength(0);
  });

  test('that is not a Hub causes an error that names the option of hubctl to check', async () => {
    await using server = startScriptedServer(() => new Response('<h1>Nothing here</h1>', { status: 404 }));
    const error = errorOf(await runHubctl(['post', 'x', '--json', '--url', server.url], { env }));
    expect(error.message).toContain('check that the URL (--url, HUB_URL) is a Hub server');
  });
});

const KEYS = { env: buildToken(KEY_PREFIX, 'e1'.repeat(17)), file: buildToken(KEY_PREFIX, 'f2'.repeat(17)) };

/** Posts, and returns the key that arrived at the server. */
async function keyOf(argv: string[], options: RunOptions): Promise<string | undefined> {
  await using server = startPostingServer();
  const ran = await runHubctl(['post', ...argv], { ...options, env: { HUB_URL: server.url, ...options.env } });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return server.requests[0]?.headers.get('authorization')?.slice('Bearer '.length);
}

describe('the key', () => {
  test('comes from a flag, else from HUB_API_KEY, without surrounding white space', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('key'), `${KEYS.file}\n`);
    const env = { HUB_API_KEY: ` ${KEYS.env}\n` };
    expect(await keyOf(['x'], { env })).toBe(KEYS.env);
    expect(await keyOf(['x', '--key-file', folder.file('key')], { env })).toBe(KEYS.file);
    expect(await keyOf(['x', '--key-stdin'], { env, stdin: `${KEYS.file}\r\n` })).toBe(KEYS.file);
  });

  test('causes exit code 2 if it has two sources, or shares standard input with the text', async () => {
    for (const argv of [
      ['x', '--key-file', 'f', '--key-stdin'],
      ['--key-stdin'],
      ['--key-stdin', '--file', '-'],
      ['--key-stdin', '--blocks', '-'],
      ['note', '-', '--key-stdin'],
      ['todo', 't', '--content', '-', '--key-stdin'],
      ['x', '--key-file', '-'],
    ]) {
      const ran = await runHubctl(['post', ...argv, '--json'], { stdin: KEYS.env });
      expect(ran.code).toBe(2);
      expect(errorOf(ran).code).toBe('usage');
    }
  });

  test('is required: without it, the exit code is 2 and the error lists the ways to provide it', async () => {
    const ran = await runHubctl(['post', 'x'], { env: { HUB_API_KEY: '' } });
    expect(ran.code).toBe(2);
    for (const way of ['HUB_API_KEY', '--key-file', '--key-stdin']) expect(ran.stderr).toContain(way);
  });

  test('is optional with --skip-without-key: without a key, the exit code is 0 and a note is printed', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('key'), '\n');
    for (const [argv, options] of [
      [[], {}],
      [[], { env: { HUB_API_KEY: '' } }],
      [['--key-file', folder.file('key')], {}],
      [['--key-file', folder.file('no such file')], {}],
      [['--key-stdin'], { stdin: '' }],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--skip-without-key', ...argv], options);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toContain('nothing was posted');
    }
    expect((await runHubctl(['post', 'x', '--skip-without-key', '--json'])).json()).toMatchObject({ skipped: true });
  });

  test('is neither sent nor printed if it is truncated, a personal access token or another secret', async () => {
    await using server = startPostingServer();
    for (const [key, problem] of [
      [KEYS.env.slice(0, -1), 'truncated'],
      [buildToken(PERSONAL_TOKEN_PREFIX, 'p3'.repeat(17)), 'personal access token'],
      ['hunter2', 'not an API key'],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--json'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
      expect(ran.code).toBe(4);
      expect(errorOf(ran).message).toContain(problem);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
    expect(server.requests).toHaveLength(0);
  });
});
