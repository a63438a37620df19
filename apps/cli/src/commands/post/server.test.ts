import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { errorOf, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { DATA, startPostingServer, startScriptedServer } from '@hub/testkit/scripted-server';
import { isLoopback } from '../../runtime/network.ts';

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

  test('defaults to the local socket, which reports the web address', async () => {
    await using server = startPostingServer();
    const ran = await runHubctl(['post', 'x', '--data-dir', server.dataDir], { env });
    expect(ran.stdout).toBe('msg_1 https://hub.example.com/p/msg_1\n');
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
    expect(target.requests).toHaveLength(0);
  });
});
