import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { startPostingServer } from '@hub/testkit/scripted-server';

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

  test('is rejected and not printed if it is an argument', async () => {
    await using server = startPostingServer();
    for (const argv of [
      ['post', KEYS.env],
      ['post', 'x', '--key', KEYS.env],
      ['keys', 'show', KEYS.env],
    ]) {
      for (const json of [[], ['--json']]) {
        const ran = await runHubctl([...argv, ...json], { env: { HUB_URL: server.url } });
        expect(ran.code).toBe(2);
        expect(ran.stdout + ran.stderr).toContain('The arguments contain a key');
        expect(ran.stdout + ran.stderr).not.toContain(KEYS.env.slice(9, 30));
      }
    }
    expect(server.requests).toHaveLength(0);
  });
});
