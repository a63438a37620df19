import { describe, expect, test } from 'bun:test';
import { formToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { startScriptedServer } from '../../testing/scripted-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { isLoopback } from './server.ts';

const KEYS = { env: formToken(KEY_PREFIX, 'e1'.repeat(17)), file: formToken(KEY_PREFIX, 'f2'.repeat(17)) };
const DATA = { id: 'msg_1', conversationId: 'cnv_1', createdAt: '2026-03-01T09:30:00.000Z' };

function startServer() {
  return startScriptedServer((request) =>
    request.method === 'GET'
      ? Response.json({ name: 'hub', version: '1', baseUrl: 'https://hub.example.com/' })
      : Response.json({ success: true, data: DATA }, { status: 201 }),
  );
}

/** The key with which a post arrived. */
async function keyOf(argv: string[], options: RunOptions): Promise<string | undefined> {
  await using server = startServer();
  const ran = await runHubctl(['post', ...argv], { ...options, env: { HUB_URL: server.url, ...options.env } });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return server.requests[0]?.headers.get('authorization')?.slice('Bearer '.length);
}

describe('the key', () => {
  test('is that of a flag, else of HUB_API_KEY, without white space around it', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('key'), `${KEYS.file}\n`);
    const env = { HUB_API_KEY: ` ${KEYS.env}\n` };
    expect(await keyOf(['x'], { env })).toBe(KEYS.env);
    expect(await keyOf(['x', '--key-file', folder.file('key')], { env })).toBe(KEYS.file);
    expect(await keyOf(['x', '--key-stdin'], { env, stdin: `${KEYS.file}\r\n` })).toBe(KEYS.file);
  });

  test('is asked for at a terminal, where it is not shown', async () => {
    expect(await keyOf(['x'], { answers: [KEYS.env] })).toBe(KEYS.env);
  });

  test('from two flags is wrong usage; so are key and text both on standard input', async () => {
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

  test('that is missing is wrong usage, which names the ways to give it', async () => {
    const ran = await runHubctl(['post', 'x'], { env: { HUB_API_KEY: '' } });
    expect(ran.code).toBe(2);
    for (const way of ['HUB_API_KEY', '--key-file', '--key-stdin']) expect(ran.stderr).toContain(way);
  });

  test('that is missing is exit 0 with a note under --skip-without-key, however it would have come', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('key'), '\n');
    for (const [argv, options] of [
      [[], {}],
      [[], { env: { HUB_API_KEY: '' } }],
      [['--key-file', folder.file('key')], {}],
      [['--key-stdin'], { stdin: '' }],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--skip-without-key', ...argv], options);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toContain('nothing was posted');
    }
    expect((await runHubctl(['post', 'x', '--skip-without-key', '--json'])).json()).toMatchObject({ skipped: true });
  });

  test('that is none (cut short, a personal token, some other secret) is not sent and not repeated', async () => {
    await using server = startServer();
    for (const [key, fault] of [
      [KEYS.env.slice(0, -1), 'cut short'],
      [formToken(PERSONAL_TOKEN_PREFIX, 'p3'.repeat(17)), 'personal access token'],
      ['hunter2', 'not a key'],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--json'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
      expect(ran.code).toBe(4);
      expect(errorOf(ran).message).toContain(fault);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
    expect(server.requests).toHaveLength(0);
  });

  test('among the arguments is refused, and never printed', async () => {
    await using server = startServer();
    for (const argv of [
      ['post', KEYS.env],
      ['post', 'x', '--key', KEYS.env],
      ['keys', 'show', KEYS.env],
    ]) {
      for (const json of [[], ['--json']]) {
        const ran = await runHubctl([...argv, ...json], { env: { HUB_URL: server.url } });
        expect(ran.code).toBe(2);
        expect(ran.stdout + ran.stderr).toContain('There is a key among the arguments');
        expect(ran.stdout + ran.stderr).not.toContain(KEYS.env.slice(9, 30));
      }
    }
    expect(server.requests).toHaveLength(0);
  });
});

describe('the server', () => {
  const env = { HUB_API_KEY: KEYS.env };

  test('is --url, else HUB_URL; the web address begins with it', async () => {
    await using first = startServer();
    await using second = startServer();
    const ran = await runHubctl(['post', 'x', '--json', '--url', `${first.url}/`], {
      env: { ...env, HUB_URL: second.url },
    });
    expect(ran.json()).toMatchObject({ ...DATA, url: `${first.url}/p/msg_1` });
    expect(second.requests).toHaveLength(0);
    const prefixed = await runHubctl(['post', 'x'], { env: { ...env, HUB_URL: `${second.url}/hub/api/public/v1` } });
    expect(second.requests[0]?.path).toBe('/hub/api/public/v1/messages');
    expect(prefixed.stdout).toBe(`msg_1 ${second.url}/hub/p/msg_1\n`);
  });

  test('is that of the local socket otherwise, which says its address', async () => {
    await using server = startServer();
    const ran = await runHubctl(['post', 'x', '--data-dir', server.dataDir], { env });
    expect(ran.stdout).toBe('msg_1 https://hub.example.com/p/msg_1\n');
  });

  test('that is not there is exit 3; without a local one, the hint names HUB_URL', async () => {
    using folder = temporaryFolder();
    const local = await runHubctl(['post', 'x', '--data-dir', folder.path], { env });
    expect(local.code).toBe(3);
    expect(local.stderr).toContain('HUB_URL');
    const refuse = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ENOTFOUND' }));
    const remote = await runHubctl(['post', 'x', '--json', '--url', 'https://nowhere.invalid'], { env, fetch: refuse });
    expect(remote.code).toBe(3);
    expect(errorOf(remote)).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Nothing was posted'),
    });
  });

  test('whose connection breaks may have posted: exit 3 says so', async () => {
    const reset = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNRESET' }));
    const ran = await runHubctl(['post', 'x', '--json', '--url', 'https://hub.example.com'], { env, fetch: reset });
    expect(ran.code).toBe(3);
    expect(errorOf(ran)).toMatchObject({ mayHaveCreated: true, hint: expect.stringContaining('look before') });
  });

  test('that does not answer within --timeout is exit 3', async () => {
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

  test('given in another form than an address is wrong usage, and the value is not repeated', async () => {
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

  test('over plain http on another machine brings a warning; loopback and https do not', async () => {
    const answer = () => Promise.resolve(Response.json({ success: true, data: DATA }, { status: 201 }));
    const warnings = async (url: string) =>
      (await runHubctl(['post', 'x', '--json'], { env: { ...env, HUB_URL: url }, fetch: answer })).stderr;
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

  test('that redirects does not get the key sent on', async () => {
    await using target = startServer();
    await using server = startScriptedServer(
      () => new Response(null, { status: 307, headers: { location: target.url } }),
    );
    const ran = await runHubctl(['post', 'x', '--json', '--url', server.url], { env });
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ code: 'redirected', statusCode: 307 });
    expect(target.requests).toHaveLength(0);
  });
});
