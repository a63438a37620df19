import { describe, expect, test } from 'bun:test';
import { formToken, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { startPostingServer } from '../../testing/posting-server.ts';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const KEYS = { env: formToken(KEY_PREFIX, 'e1'.repeat(17)), file: formToken(KEY_PREFIX, 'f2'.repeat(17)) };

/** The key with which a post arrived. */
async function keyOf(argv: string[], options: RunOptions): Promise<string | undefined> {
  await using server = startPostingServer();
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
    expect(await keyOf(['x'], { responses: [KEYS.env] })).toBe(KEYS.env);
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
      [['--key-file', folder.file('no such file')], {}],
      [['--key-stdin'], { stdin: '' }],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--skip-without-key', ...argv], options);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toContain('nothing was posted');
    }
    expect((await runHubctl(['post', 'x', '--skip-without-key', '--json'])).json()).toMatchObject({ skipped: true });
  });

  test('that is none (cut short, a personal token, some other secret) is not sent and not repeated', async () => {
    await using server = startPostingServer();
    for (const [key, problem] of [
      [KEYS.env.slice(0, -1), 'cut short'],
      [formToken(PERSONAL_TOKEN_PREFIX, 'p3'.repeat(17)), 'personal access token'],
      ['hunter2', 'not a key'],
    ] as const) {
      const ran = await runHubctl(['post', 'x', '--json'], { env: { HUB_API_KEY: key, HUB_URL: server.url } });
      expect(ran.code).toBe(4);
      expect(errorOf(ran).message).toContain(problem);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
    expect(server.requests).toHaveLength(0);
  });

  test('among the arguments is refused, and never printed', async () => {
    await using server = startPostingServer();
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
