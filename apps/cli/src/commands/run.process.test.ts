import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../test/hubctl-on-hub.ts';
import { defining, PROGRAMS } from '../../test/programs.ts';
import type { RunOptions } from '../../test/run-hubctl.ts';
import type { Deps } from '../runtime/deps.ts';

const on = sharedHubctl();
const folder = temporaryFolder();
let env: Record<string, string>;
beforeAll(async () => {
  const { key } = await on.issue('run', '--scopes', 'messages,todos');
  env = { HUB_ADMIN_SOCKET: on.hub.socketPath, HUB_API_KEY: key };
});
afterAll(() => folder[Symbol.dispose]());

async function posted(kind: 'messages' | 'todos'): Promise<Record<string, string>> {
  const response = await on.hub.admin.raw('GET', `/hubs/${on.releases.id}/${kind}?limit=1`);
  return ((await response.json()) as { items: Record<string, string>[] }).items[0] ?? {};
}

describe('hubctl run', () => {
  const run = (argv: string[], options: RunOptions = {}) =>
    on.hubctl(['run', ...argv], { ...options, env: { ...env, ...options.env } });
  const printing =
    (...chunks: string[]): Deps['runChild'] =>
    async (_, onOutput) => {
      for (const chunk of chunks) onOutput(Buffer.from(chunk));
      return { code: 0, signal: null };
    };

  test.each<
    [options: string, command: string[], code: number, kind: 'messages' | 'todos', field: string, text: string]
  >([
    ['', ['true'], 0, 'messages', 'text', '`true` succeeded after '],
    ['--name Night', ['true'], 0, 'messages', 'text', '`Night` succeeded'],
    ['', ['env', 'PASSWORD=x', 'false'], 1, 'messages', 'text', '`env` failed with exit code 1'],
    ['--todo', ['false', '-p', 'secret'], 1, 'todos', 'title', 'false failed with exit code 1'],
    ['--todo', ['no-such'], 127, 'todos', 'title', 'no-such could not be started: there is no such command'],
    ['--todo', ['/dev/null/x'], 126, 'todos', 'title', 'x could not be started: part of its path is not a directory'],
    ['--on failure', ['sh', '-c', 'kill -KILL $$'], 137, 'messages', 'text', '`sh` was ended by SIGKILL'],
  ])('with %p, %p ends with its own exit code %d, and is posted', async (options, command, code, kind, field, text) => {
    const ran = await run([...options.split(' ').filter(Boolean), '--', ...command]);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect((await posted(kind))[field]).toStartWith(text);
  });

  test('posts the last 20 lines of a long output, even if it comes in large pieces', async () => {
    const lines = `${'x'.repeat(999)}\n`.repeat(41);
    await run(['--', 'log'], { runChild: printing(lines, lines) });
    expect((await posted('messages')).text?.match(/^x{999}$/gm)).toHaveLength(20);
  });

  test('passes each argument on as it is, even an empty one or one that looks like an option of hubctl', async () => {
    const command = ['printf', '%s|', 'a', '', '--json', '-h', ' '];
    const passed: unknown[] = [];
    await run(['--', ...command], { runChild: async (argv) => ({ code: passed.push(argv), signal: null }) });
    expect(passed).toEqual([command]);
  });

  test('with --on failure, a success is not posted', async () => {
    await run(['--name', 'before', '--', 'true']);
    expect(await run(['--on', 'failure', '--', 'true'])).toMatchObject({ code: 0, stderr: '' });
    expect((await posted('messages')).text).toContain('`before`');
  });

  test('a result that cannot be posted causes a warning, and does not change the exit code', async () => {
    await using full = startScriptedServer(() => errorResponse(503));
    await Bun.write(folder.file('file'), '');
    const unposted: [options: string, extra: Record<string, string>, stderr?: string][] = [
      ['--url http://127.0.0.1:9', {}],
      [`--url ${full.url}`, {}],
      ['', { HUB_URL: 'nonsense' }],
      ['', { HUB_API_KEY: '' }],
      ['', { HUB_API_KEY: `hub_live_${'x'.repeat(40)}` }],
      ['', { HUB_ADMIN_SOCKET: '/nonexistent' }],
      ['--key-file /nonexistent', {}, 'warning: Not posted: Cannot read /nonexistent: no such file.\n'],
      [`--outbox ${folder.file('file')}`, {}],
    ];
    const expectWarning = async ([options, extra, stderr]: (typeof unposted)[number]) => {
      const ran = await run([...options.split(' ').filter(Boolean), '--', 'sh', '-c', 'exit 3'], { env: extra });
      expect([options, ran.code, ran.stdout]).toEqual([options, 3, '']);
      expect(ran.stderr).toMatch(stderr ?? /^(warning: Not posted: |No API key, so nothing was posted)/);
    };
    await Promise.all(unposted.map(expectWarning));
  });

  test('takes a wrong command line for an error before anything runs', async () => {
    for (const options of ['--on never', '--url nonsense', '--timeout x', '--json', '--nmae x']) {
      const runChild = () => Promise.reject(new Error('It ran.'));
      expect([options, (await run([...options.split(' '), '--', 'x'], { runChild })).code]).toEqual([options, 2]);
    }
  });
});

describe.each(PROGRAMS)('hubctl run on %s', (_, program) => {
  async function start(line: string) {
    const io = { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const;
    const child = Bun.spawn(['bash', '--norc', '-c', line], { env: { PATH: process.env.PATH, ...env }, ...io });
    const [stdout, stderr, code] = await Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
    return { stdout: Buffer.from(stdout), stderr, code };
  }
  const shell = async (line: string) => await start(`${await defining(program)} ${line}`);

  test('runs a script that does not name its interpreter, as shells do', async () => {
    writeFileSync(folder.file('script'), 'echo "$1"; exit 5\n', { mode: 0o755 });
    const ran = await shell(`hubctl run -- ${folder.file('script')} hi`);
    expect([ran.code, ran.stdout.toString()]).toEqual([5, 'hi\n']);
  });

  test('passes output through as it is, and posts name, exit code, duration and the last lines', async () => {
    const script = String.raw`seq 30; printf "10%%\r99%%\n\033[31mred\033[0m\377\n"; echo problem >&2; exit 7`;
    const ran = await shell(`hubctl run -- sh -c '${script}'`);
    expect([ran.code, ran.stderr]).toEqual([7, 'problem\n']);
    const expected = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`).join('');
    expect(ran.stdout).toEqual(Buffer.from(`${expected}10%\r99%\n\x1b[31mred\x1b[0m\xff\n`, 'latin1'));
    const { text = '' } = await posted('messages');
    expect(text).toMatch(
      /^`sh` failed with exit code 7 after [\d.]+ s\.\n\n```text\n1[2-6]\n[^`]*\n99%\n[^`]*red\ufffd\n[^`]*```$/,
    );
    expect(text).toContain('\nproblem\n');
    expect(text.split('\n')).toHaveLength(2 + 20 + 2);
  });

  test('a signal reaches the command, and ends hubctl as it ends the command', async () => {
    const [argv, ended] = [`'${(await program()).join("' '")}'`, folder.file('ended')];
    const trapping = await start(
      `exec ${argv} run -- sh -c 'trap "echo trapped; exit 9" TERM; kill -TERM $PPID; sleep 9 & wait'`,
    );
    expect([trapping.code, trapping.stdout.toString()]).toEqual([9, 'trapped\n']);
    expect((await posted('messages')).text).toContain('trapped');
    await start(`${argv} run -- sh -c 'kill -TERM $PPID; sleep 9 & wait' & wait $!; echo "ended $?" > ${ended}`);
    expect(await Bun.file(ended).text()).toBe('ended 143\n');
  });

  test('a process that the command leaves in the background, and a reader that goes, do not keep it', async () => {
    const ran = await Promise.all([
      shell("hubctl run -- sh -c 'sleep 60 & echo started'"),
      shell('set -o pipefail; hubctl run -- yes | head -1'),
      // More than a pipe holds, so that the command ends long before its output is read.
      shell(`hubctl run -- seq 20000 | { read; sleep 1; wc -l; }`),
    ]);
    expect(ran.map(({ stdout }) => stdout.toString())).toEqual(['started\n', 'y\n', '19999\n']);
    expect(ran[1].code).toBeGreaterThan(0);
  });
});
