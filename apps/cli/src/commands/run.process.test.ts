import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { startHubctl } from '../../test/hubctl-on-hub.ts';
import { defining, PROGRAMS } from '../../test/programs.ts';

describe.each(PROGRAMS)('hubctl run on %s', (runtime, program) => {
  const folder = temporaryFolder();
  let on: Awaited<ReturnType<typeof startHubctl>>;
  let env: Record<string, string>;
  beforeAll(async () => {
    on = await startHubctl();
    const { key } = await on.issue('run', '--scopes', 'messages,todos');
    env = { HUB_ADMIN_SOCKET: on.hub.socketPath, HUB_API_KEY: key };
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    await on.stop();
  });

  function start(line: string, extra: Record<string, string> = {}) {
    const child = Bun.spawn(['bash', '--norc', '-c', line], {
      env: { PATH: process.env.PATH, ...env, ...extra },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const ended = Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
    return ended.then(([stdout, stderr, code]) => ({ stdout: Buffer.from(stdout), stderr, code }));
  }
  const shell = async (line: string, extra?: Record<string, string>) =>
    await start(`${await defining(program)} ${line}`, extra);
  const posted = async (kind: 'messages' | 'todos') => {
    const { items } = (await (await on.hub.admin.raw('GET', `/hubs/${on.releases.id}/${kind}?limit=1`)).json()) as {
      items: Record<string, string>[];
    };
    return items[0] ?? {};
  };

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

  test('posts the last 20 lines of a long output, even if it comes in large pieces', async () => {
    await Bun.write(folder.file('log'), `${'x'.repeat(999)}\n`.repeat(82));
    await shell(`hubctl run -- cat ${folder.file('log')}`);
    expect((await posted('messages')).text?.match(/^x{999}$/gm)).toHaveLength(20);
  });

  test.each<[options: string, command: string, code: number, kind: 'messages' | 'todos', field: string, text: string]>([
    ['', 'true', 0, 'messages', 'text', '`true` succeeded after '],
    ['--name "Night build"', 'true', 0, 'messages', 'text', '`Night build` succeeded'],
    ['', 'env PASSWORD=x false', 1, 'messages', 'text', '`env` failed with exit code 1'],
    ['--todo', 'false -p secret', 1, 'todos', 'title', 'false failed with exit code 1'],
    [
      '--todo',
      'no-such-command',
      127,
      'todos',
      'title',
      'no-such-command could not be started: there is no such command',
    ],
    ['--on failure', `sh -c 'kill -KILL $$'`, 137, 'messages', 'text', '`sh` was ended by SIGKILL'],
  ])('with %p, %s ends with its own exit code %d, and is posted', async (options, command, code, kind, field, text) => {
    const ran = await shell(`hubctl run ${options} -- ${command}`);
    expect([ran.code, ran.stdout.length]).toEqual([code, 0]);
    expect((await posted(kind))[field]).toStartWith(text);
  });

  test('passes each argument on as it is, even an empty one or one that looks like an option of hubctl', async () => {
    const ran = await shell("hubctl run -- printf '%s|' a '' --json -h ' '");
    expect([ran.code, ran.stdout.toString(), ran.stderr]).toEqual([0, 'a||--json|-h| |', '']);
  });

  test('with --on failure, a success is not posted', async () => {
    await shell('hubctl run --name before -- true');
    expect(await shell('hubctl run --on failure -- echo done')).toMatchObject({ code: 0, stderr: '' });
    expect((await posted('messages')).text).toContain('`before`');
  });

  test('a result that cannot be posted causes a warning, and changes neither exit code nor output', async () => {
    await using full = startScriptedServer(() => errorResponse(503));
    await Bun.write(folder.file('file'), '');
    const KEY = `hub_live_${'x'.repeat(40)}`;
    for (const [options, extra, stderr] of [
      ['--url http://127.0.0.1:9', {}],
      [`--url ${full.url}`, {}],
      ['', { HUB_URL: 'nonsense' }],
      ['', { HUB_API_KEY: '' }],
      ['', { HUB_API_KEY: KEY }],
      ['', { HUB_ADMIN_SOCKET: '/nonexistent' }],
      ['--key-file /nonexistent', {}, 'warning: Not posted: Cannot read /nonexistent: no such file.\n'],
      [`--outbox ${folder.file('file')}`, {}],
    ] as const) {
      const ran = await shell(`hubctl run ${options} -- sh -c 'echo out; exit 3'`, extra);
      expect([options, ran.code, ran.stdout.toString()]).toEqual([options, 3, 'out\n']);
      expect(ran.stderr).toMatch(stderr ?? /^(warning: Not posted: |No API key, so nothing was posted)/);
    }
  });

  test('a signal reaches the command, and ends hubctl as it ends the command', async () => {
    const [argv, pid] = [(await program()).map((word) => `'${word}'`).join(' '), folder.file(`pid-${runtime}`)];
    const trapping = await start(
      `exec ${argv} run -- sh -c 'trap "echo trapped; exit 9" TERM; kill -TERM $PPID; sleep 9 & wait'`,
    );
    expect([trapping.code, trapping.stdout.toString()]).toEqual([9, 'trapped\n']);
    expect((await posted('messages')).text).toContain('trapped');
    const ended = await start(
      `${argv} run -- sh -c 'kill -TERM $PPID; sleep 9 & wait' & wait $!; echo "ended $?" > ${pid}`,
    );
    expect(ended.code).toBe(0);
    expect(await Bun.file(pid).text()).toBe('ended 143\n');
  });

  test('a process that the command leaves in the background, and a reader that goes, do not keep it', async () => {
    expect((await shell("hubctl run -- sh -c 'sleep 60 & echo started'")).stdout.toString()).toBe('started\n');
    const cut = await shell('set -o pipefail; hubctl run -- yes | head -1');
    expect([cut.stdout.toString(), cut.code > 0]).toEqual(['y\n', true]);
    // More than a pipe holds, so that the command ends long before its output is read.
    const slow = await shell(`hubctl run -- seq 20000 | { read; sleep 1; wc -l; }`);
    expect(slow.stdout.toString().trim()).toBe('19999');
  });

  test('takes a wrong command line for an error before anything runs', async () => {
    for (const options of ['--on never', '--url nonsense', '--timeout x', '--json', '--nmae x']) {
      const ran = await shell(`hubctl run ${options} -- echo ran`);
      expect([options, ran.code, ran.stdout.includes('ran')]).toEqual([options, 2, false]);
    }
  });
});
