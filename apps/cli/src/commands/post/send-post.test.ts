import { describe, expect, test } from 'bun:test';
import type { IssuedKey } from '@hub/contract';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { created, DATA, errorResponse, startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../../test/hubctl-on-hub.ts';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';
import { CliError, EXIT } from '../../runtime/errors.ts';

const on = sharedHubctl();
const KEY = buildToken(KEY_PREFIX, 'e1'.repeat(17));

/** Runs `hubctl post` with a key that has the right form. */
const post = (argv: readonly string[], options: RunOptions = {}) =>
  runHubctl(['post', ...argv], { ...options, env: { HUB_API_KEY: KEY, ...options.env } });

test('a post to a real server prints ID and web address for each kind, over the local socket and over HTTP', async () => {
  const key = await on.hub.admin.issueKey({ hubId: on.releases.id });
  // People also copy the address of an operation.
  for (const env of [{}, { HUB_URL: on.hub.url }, { HUB_URL: `${on.hub.url}/api/public/v1/messages` }]) {
    for (const [line, prefix] of [
      ['Hello', 'msg'],
      ['note Text --title Title', 'note'],
      ['todo Title --due 2027-01-31T09:00Z --priority urgent', 'todo'],
    ] as const) {
      const ran = await on.hubctl(['post', ...line.split(' ')], { env: { HUB_API_KEY: key.key, ...env } });
      expect(ran.code).toBe(0);
      expect(ran.stdout).toMatch(new RegExp(`^(${prefix}_\\w{26}) ${on.hub.url}/p/\\1\n$`));
    }
  }
  const json = (await on.hubctl(['post', 'Hello', '--json'], { env: { HUB_API_KEY: key.key } })).json();
  expect(Object.keys(json).sort()).toEqual(['conversationId', 'createdAt', 'id', 'url']);
  expect((await on.hub.admin.showKey(key.id)).postCount).toBe(10);
});

describe('--soft-fail', () => {
  let key: IssuedKey | undefined;
  const softly = async (argv: string[], options: RunOptions = {}) => {
    key ??= await on.issue('soft');
    return await on.hubctl(['post', ...argv], { ...options, env: { HUB_API_KEY: key.key, ...options.env } });
  };

  test.each<[title: string, argv: string[], options: RunOptions]>([
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
  ])('warns and exits with 0 for %s', async (_, argv, options) => {
    const stderr = expect.stringMatching(/^warning: Not posted: /);
    expect(await softly([...argv, '--soft-fail'], options)).toMatchObject({ code: 0, stdout: '', stderr });
    expect(errorOf(await softly([...argv, '--soft-fail', '--json'], options))).toMatchObject({ exitCode: 0 });
    expect((await softly(argv, options)).code).toBeGreaterThan(0);
  });

  test('does not hide Ctrl-C at a prompt', async () => {
    const canceled = new CliError('cancelled', 'Canceled.', {}, EXIT.interrupted);
    expect((await softly(['--soft-fail'], { responses: [canceled] })).code).toBe(130);
  });

  test('still exits with 2 for an invalid command line', async () => {
    const servers = ['x --url hub', 'x --url https://hub.example.org --local'];
    const contents = ['note x --content y', 'todo x --title y', 'todo x --due soon'];
    for (const line of ['x y', 'x --timeout soon', 'x --frobnicate', ...servers, ...contents])
      expect([line, (await softly([...line.split(' '), '--soft-fail'])).code]).toEqual([line, 2]);
  });
});

describe('a block', () => {
  test('is reported and waited out with --wait, and the post is sent once', async () => {
    await using server = startScriptedServer((_, number) =>
      number === 1 ? errorResponse(403, 'Blocked.', { 'retry-after': '1' }) : created(),
    );
    const ran = await post(['x', '--wait', '--json', '--url', server.url]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Retrying in 1 second') });
    expect(ran.json()).toMatchObject({ id: 'msg_1' });
    expect(server.requests).toHaveLength(2);
  });

  test('that is longer than --wait-max causes exit code 5 at once, with the seconds', async () => {
    await using server = startScriptedServer(() => errorResponse(403, 'Blocked.', { 'retry-after': '61' }));
    const ran = await post(['x', '--wait-max', '1m', '--json', '--url', server.url]);
    const hint = 'Try again in 61 seconds, or raise --wait-max.';
    expect(errorOf(ran)).toMatchObject({ code: 'rate_limited', exitCode: 5, retryAfterSeconds: 61, hint });
    expect(server.requests).toHaveLength(1);
    expect((await post(['x', '--url', server.url])).stderr).toContain('Try again in 61 seconds, or add --wait.');
    for (const waitMax of ['1', 'm', '1y', '-1s']) expect((await post(['x', `--wait-max=${waitMax}`])).code).toBe(2);
  });
});

describe('the server', () => {
  test('causes exit code 3 if it does not respond within --timeout', async () => {
    const fetch: RunOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const ran = await post(['x', '--json', '--timeout', '0.01', '--url', 'https://hub.example.com'], { fetch });
    expect(errorOf(ran)).toMatchObject({ code: 'timeout', exitCode: 3, mayHaveCreated: true });
    for (const timeout of ['0', '-1', 'x', '1e3', '99999999'])
      expect((await post(['x', `--timeout=${timeout}`], { fetch })).code).toBe(2);
  });

  test('that is not on this machine is named by HUB_URL, as the error says without it', async () => {
    const fetch = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ENOENT' }));
    const error = errorOf(await post(['x', '--json'], { fetch }));
    expect(error).toMatchObject({ code: 'unreachable', message: expect.stringMatching(/^No server found at /) });
    expect(error.hint).toMatch(/^For a server on another machine, set HUB_URL or add --url (?!.*hubctl login)/s);
  });

  test('causes exit code 2 for an invalid URL, and an error that names its variable but not its secrets', async () => {
    const ran = await post(['x', '--json'], { env: { HUB_URL: 'https://user:secret@hub.example.com' } });
    expect(errorOf(ran)).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^HUB_URL /) });
    expect(ran.stdout + ran.stderr).not.toContain('secret');
  });

  test.each([
    ['http://hub.example.com:3000', 'hub.example.com:3000 unencrypted'],
    ['http://127.0.0.1.evil.example', 'unencrypted'],
    ['http://localhost.evil.example', 'unencrypted'],
    ['https://hub.example.com', ''],
    ['http://localhost:3000', ''],
    ['http://127.0.0.1:3000', ''],
    ['http://[::1]:3000', ''],
  ])('causes a warning over plain http, except on this machine: %s', async (HUB_URL, warning) => {
    const { stderr } = await post(['x', '--json'], { env: { HUB_URL }, fetch: async () => created() });
    expect(stderr).toContain(warning);
    expect(stderr === '').toBe(warning === '');
  });

  test('causes exit code 1 if it redirects, and the key is not forwarded', async () => {
    await using target = startPostingServer();
    const redirect = { status: 307, headers: { location: target.url } };
    await using server = startScriptedServer(() => new Response(null, redirect));
    const ran = await post(['x', '--json', '--url', server.url]);
    expect(errorOf(ran)).toMatchObject({ code: 'redirected', statusCode: 307, exitCode: 1 });
    expect(errorOf(ran).message).toEndWith('set the URL (--url, HUB_URL) to the URL of the Hub server itself.');
    expect(target.requests).toHaveLength(0);
    server.respondWith(() => new Response('<h1>Nothing here</h1>', { status: 404 }));
    const foreign = errorOf(await post(['x', '--json', '--url', server.url]));
    expect(foreign.message).toContain('check that the URL (--url, HUB_URL) is a Hub server');
  });
});

describe('the key', () => {
  test('comes from a flag, else from HUB_API_KEY, without surrounding white space', async () => {
    using folder = temporaryFolder();
    await using server = startPostingServer();
    const other = buildToken(KEY_PREFIX, 'f2'.repeat(17));
    await Bun.write(folder.file('key'), `${other}\n`);
    const env = { HUB_API_KEY: ` ${KEY}\n`, HUB_URL: server.url };
    await post(['x'], { env });
    await post(['x', '--key-file', folder.file('key')], { env });
    await post(['x', '--key-stdin'], { env, stdin: `${other}\r\n` });
    const sent = server.requests.map(({ headers }) => headers.get('authorization'));
    expect(sent).toEqual([`Bearer ${KEY}`, `Bearer ${other}`, `Bearer ${other}`]);
  });

  test('causes exit code 2 if it has two sources, or shares standard input with the text', async () => {
    const shared = ['--key-stdin', '--key-stdin --file -', 'note - --key-stdin', 'todo t --content - --key-stdin'];
    for (const line of ['x --key-file f --key-stdin', 'x --key-file -', ...shared]) {
      const ran = await runHubctl(['post', ...line.split(' '), '--json'], { stdin: KEY });
      expect([line, errorOf(ran)]).toMatchObject([line, { code: 'usage', exitCode: 2 }]);
    }
  });

  test('is required: without it, the exit code is 2 and the error lists the ways to provide it', async () => {
    const ran = await post(['x'], { env: { HUB_API_KEY: '' } });
    expect(ran.code).toBe(2);
    for (const way of ['HUB_API_KEY', '--key-file', '--key-stdin']) expect(ran.stderr).toContain(way);
  });

  test('shows how much of a file has been sent while that takes long, but only in a terminal', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('big.bin'), new Uint8Array(3 * 1024 * 1024));
    const argv = ['x', '--attach', folder.file('big.bin')];
    const drawn = Promise.withResolvers<void>();
    const bodies: unknown[] = [];
    const env = { HUB_URL: 'http://127.0.0.1:9' };
    const uploaded = () => Response.json({ success: true, data: { ...DATA, name: 'big.bin' } }, { status: 201 });
    const fetch = async (url: string, { body, headers }: BunFetchRequestInit) => {
      if (!url.includes('/files?')) return created();
      bodies.push(body);
      if (!(body instanceof ReadableStream)) return uploaded();
      expect(new Headers(headers).get('content-length')).toBe(String(3 * 1024 * 1024));
      const reader = body.getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) await drawn.promise;
      return uploaded();
    };
    const onWrite = (_: string, text: string) => {
      if (/Uploading big\.bin: [\d.]+ [KM]iB of 3\.0 MiB \(\d+%\) …/.test(text)) drawn.resolve();
    };
    const ran = await post(argv, { env, fetch, onWrite, columns: 80 });
    expect([ran.code, ran.stderr.endsWith('\r\x1b[2K')]).toEqual([0, true]);
    expect((await post(argv, { env, fetch })).stderr).toBe('');
    expect(bodies.filter((body) => body instanceof Blob)).toHaveLength(1);
  });

  test('is optional with --skip-without-key: without a key, the exit code is 0 and a note is printed', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('key'), '\n');
    for (const flags of [[], ['--key-file', folder.file('key')], ['--key-file', '/nonexistent'], ['--key-stdin']]) {
      const options = { env: { HUB_API_KEY: '' }, stdin: '' };
      const ran = await post(['x', '--skip-without-key', ...flags], options);
      expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('nothing was posted') });
    }
    expect((await runHubctl(['post', 'x', '--skip-without-key', '--json'])).json()).toMatchObject({ skipped: true });
  });

  test('is neither sent nor printed if it is truncated, a personal access token or another secret', async () => {
    await using server = startPostingServer();
    for (const [key, problem] of [
      [KEY.slice(0, -1), 'truncated'],
      [buildToken(PERSONAL_TOKEN_PREFIX, 'p3'.repeat(17)), 'personal access token'],
      ['hunter2', 'not an API key'],
    ] as const) {
      const ran = await post(['x', '--json'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
      expect(errorOf(ran)).toMatchObject({ exitCode: 4, message: expect.stringContaining(problem) });
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
    expect(server.requests).toHaveLength(0);
  });
});
