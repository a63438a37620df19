import { afterAll, describe, expect, test } from 'bun:test';
import { chownSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { errorResponse } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { errorOf, runHubctl } from '../../test/run-hubctl.ts';
import { temporaryHome } from '../../test/temporary-home.ts';
import { adminSocketPath, chooseConnection, type ServerFlags } from './connection.ts';

describe('the admin socket', () => {
  test('is in --data-dir, else at HUB_ADMIN_SOCKET, else in HUB_DATA_DIR, else in ./data', () => {
    const env = { HUB_ADMIN_SOCKET: '/run/hub.sock', HUB_DATA_DIR: '/var/lib/hub' };
    expect(adminSocketPath(env, '/srv/hub')).toBe('/srv/hub/admin.sock');
    expect(adminSocketPath(env, undefined)).toBe('/run/hub.sock');
    expect(adminSocketPath({ HUB_DATA_DIR: '/var/lib/hub' }, undefined)).toBe('/var/lib/hub/admin.sock');
    expect(adminSocketPath({ HUB_DATA_DIR: '' }, undefined)).toBe(resolve('data/admin.sock'));
  });

  test('causes exit code 3 if it does not exist, and an error that names the variable to set', async () => {
    const stderr = expect.stringMatching(/No server found at \/nonexistent\/admin\.sock.*HUB_DATA_DIR/s);
    expect(await runHubctl(['status', '--data-dir', '/nonexistent'])).toMatchObject({ code: 3, stdout: '', stderr });
  });

  test('causes exit code 4 if it is not accessible, and a hint to use sudo', async () => {
    const fetch = () => Promise.reject(Object.assign(new TypeError('no'), { code: 'EACCES' }));
    const ran = await runHubctl(['status', '--json', '--data-dir', '/nonexistent'], { fetch });
    const hint = expect.stringMatching(/sudo .*hubctl --data-dir \/nonexistent …/);
    expect(errorOf(ran)).toMatchObject({ code: 'forbidden', exitCode: 4, hint });
  });

  // Only root can give a file to another user.
  test.skipIf(process.getuid?.() !== 0)(
    'causes exit code 4 if it belongs to another user, and nothing is sent; the error has the command to use',
    async () => {
      using folder = temporaryFolder();
      const path = folder.file('admin.sock');
      const urls: string[] = [];
      await using server = Bun.serve({ unix: path, fetch: ({ url }) => Response.json({ asked: urls.push(url) }) });
      const OTHER = 65_533;
      chownSync(path, OTHER, OTHER);
      for (const args of [['status'], ['tail'], ['post', 'message', 'x']]) {
        const env = { HUB_DATA_DIR: folder.path, HUB_API_KEY: buildToken(KEY_PREFIX, 'x'.repeat(34)) };
        const ran = await runHubctl(args, { env });
        expect([args[0], ran.code]).toEqual([args[0], 4]);
        expect(ran.stderr).toContain(`The admin socket ${path} belongs to another user (id ${OTHER}).`);
        expect(ran.stderr).toContain(`sudo -u '#${OTHER}' hubctl --data-dir ${folder.path} …`);
      }
      expect(urls).toEqual([]);
      await server.stop(true);
    },
  );
});

describe('an error response', () => {
  test('is printed as JSON with its status, request ID and the seconds to wait', async () => {
    const fetch = async () => errorResponse(403, 'Because.', { 'retry-after': '17' });
    const error = errorOf(await runHubctl(['status', '--json'], { fetch }));
    const details = { statusCode: 403, message: 'Because.', requestId: 'req_1', retryAfterSeconds: 17 };
    expect(error).toMatchObject({ code: 'rate_limited', exitCode: 5, ...details });
  });

  test('is printed without terminal escapes, and with the request ID for a 5xx', async () => {
    const fetch = async () => errorResponse(500, 'Bad\x1b]52;c;eA==\x07 luck\nsecond line');
    const { stderr } = await runHubctl(['status'], { fetch });
    expect(stderr).toBe("error: Bad luck\nsecond line\nRequest ID for the server's log: req_1\n");
  });

  test('without JSON is reported as an unexpected response, also to a backup', async () => {
    using folder = temporaryFolder();
    const fetch = async () => new Response('<html>');
    const stderr = expect.stringContaining('Unexpected response from the server');
    expect(await runHubctl(['status'], { fetch })).toMatchObject({ code: 1, stderr });
    const HUB_URL = 'https://hub.example.com';
    const env = { HUB_TOKEN: buildToken(PERSONAL_TOKEN_PREFIX, 'x'.repeat(34)), HUB_URL };
    for (const argv of [['status'], ['backup', folder.file('hub.db')]]) {
      const error = errorOf(await runHubctl([...argv, '--json'], { env, fetch }));
      expect(error).toMatchObject({ exitCode: 1, message: `There is no Hub server at ${HUB_URL}.` });
    }
  });
});

const home = temporaryHome();
home.give('play', { url: 'https://play.example' });
home.give('work', { url: 'https://work.example' });
afterAll(() => home[Symbol.dispose]());

/** Returns the URL of the chosen profile or the path of the chosen socket. */
function chosen(flags: ServerFlags, env: Record<string, string> = {}): string {
  const connection = chooseConnection({ ...home.env, ...env }, flags);
  return connection.kind === 'profile' ? connection.url : connection.socketPath;
}

describe('a command', () => {
  const local = resolve('data/admin.sock');
  test.each<[ServerFlags, Record<string, string>, string]>([
    [{ profile: 'play' }, { HUB_PROFILE: 'work', HUB_DATA_DIR: '/d', HUB_ADMIN_SOCKET: '/s' }, 'https://play.example'],
    [{ local: true }, { HUB_PROFILE: 'play' }, local],
    [{ local: true }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' }, '/s'],
    [{ dataDir: '/d' }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' }, '/d/admin.sock'],
    [{}, { HUB_PROFILE: 'play', HUB_DATA_DIR: '/d' }, 'https://play.example'],
    [{}, { HUB_DATA_DIR: '/d' }, '/d/admin.sock'],
    [{}, { HUB_ADMIN_SOCKET: '/s' }, '/s'],
    [{}, {}, 'https://work.example'],
    [{}, { HUB_PROFILE: '', HUB_DATA_DIR: '', HUB_ADMIN_SOCKET: '' }, 'https://work.example'],
    [{}, { HOME: '/nonexistent' }, local],
  ])('with the options %p and the environment %p uses %s', (flags, env, server) => {
    expect(chosen(flags, env)).toBe(server);
  });

  test('fails for an unknown profile, and rejects --profile with --local or --data-dir', () => {
    for (const profile of ['wrok', 'constructor']) expect(() => chosen({ profile })).toThrow('No profile named');
    expect(() => chosen({}, { HUB_PROFILE: 'wrok' })).toThrow('No profile named "wrok".');
    expect(() => chosen({ profile: 'work', local: true })).toThrow('--local');
    expect(() => chosen({ profile: 'work', dataDir: '/d' })).toThrow('--data-dir');
  });
});
