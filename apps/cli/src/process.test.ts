import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { shared } from '@hub/testkit/in-process/shared';
import { createUser, newTokenOf } from '@hub/testkit/in-process/users';
import { runProgram } from '@hub/testkit/run-program';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { defining, PROGRAMS } from '../test/programs.ts';
import { startTailing } from '../test/tail.ts';
import { KEYS, openTerminal } from '../test/terminal.ts';

const on = shared(startTailing);
let env: Record<string, string>;
beforeAll(async () => {
  env = { HUB_ADMIN_SOCKET: on.hub.socketPath };
  for (let count = 0; count < 50; count += 1) await on.write(`Number ${count} ${'x'.repeat(2_000)}`);
});

describe.each(PROGRAMS)('hubctl on %s', (runtime, program) => {
  /** Runs a shell command where `hubctl` is the real program. */
  async function shell(line: string, extra: Record<string, string> = {}) {
    const argv = ['bash', '--norc', '-c', `${await defining(program)} ${line}`];
    return await runProgram(argv, { env: { ...env, ...extra } });
  }

  test('exits with 1 and an error if standard input is closed', async () => {
    const { key } = await on.issue('closed');
    const ran = await shell('hubctl post <&-', { HUB_API_KEY: key });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: /) });
  });

  test('writes a long list completely, and exits silently if the reader has closed the pipe', async () => {
    const common = { name: 'x'.repeat(60), createdAt: '2026-03-01T09:30:00.000Z' };
    const items = Array.from({ length: 20_000 }, (_, index) => ({ id: `hub_${index}`, ...common }));
    await using server = startScriptedServer(() => Response.json({ items, next: null }));
    const dataDir = { HUB_ADMIN_SOCKET: server.socketPath };
    const lines = ['hubctl hubs list --json', 'set -o pipefail; hubctl hubs list | head -1'];
    const [whole, cut] = await Promise.all(lines.map((line) => shell(line, dataDir)));
    expect(JSON.parse(whole?.stdout ?? '').items).toHaveLength(20_000);
    expect(cut).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NAME/), stderr: '' });
  });

  describe('at a real terminal', () => {
    test('prompts on standard error, so that a redirected key is alone in its file', async () => {
      using folder = temporaryFolder();
      const file = folder.file('key');
      const terminal = await openTerminal(`hubctl keys issue > ${file}`, env, 120, program);
      await terminal.shows('Which Hub?');
      terminal.press(KEYS.enter);
      await terminal.shows('Name of the key');
      terminal.press(`by hand on ${runtime}${KEYS.enter}`);
      await terminal.shows('To-dos');
      // Messages are selected, as in the web app. This adds notes.
      terminal.press(KEYS.down + KEYS.space + KEYS.enter);
      await terminal.shows('When should the key expire?');
      terminal.press(KEYS.down + KEYS.enter);
      expect(await terminal.exited).toBe(0);
      const key = (await Bun.file(file).text()).trimEnd();
      expect(hasTokenFormat(KEY_PREFIX, key)).toBe(true);
      expect(terminal.screen()).not.toContain(key);
      const issued = (await on.hubctl(['keys', 'show', `by hand on ${runtime}`, '--json'])).json();
      expect(issued).toMatchObject({ scopes: ['messages:create', 'notes:create'], expiresAt: expect.any(String) });
    });

    test.each([KEYS.ctrlC, KEYS.ctrlD])('exits with 130 and changes nothing on %j at a prompt', async (key) => {
      const { id } = await on.hub.admin.createHub();
      const terminal = await openTerminal(`hubctl hubs delete ${id}`, env, 120, program);
      await terminal.shows('Delete the Hub');
      terminal.press(key);
      expect(await terminal.exited).toBe(130);
      expect(terminal.screen()).toContain('Canceled. Nothing was changed.');
      expect(await on.hub.admin.request('GET /hubs/{hubId}', { hubId: id })).toMatchObject({ deletedAt: null });
    });

    test('does not show a key while it is typed', async () => {
      const { key } = await on.issue('typed');
      const terminal = await openTerminal('hubctl post Hello', env, 120, program);
      await terminal.shows('API key');
      terminal.press(key + KEYS.enter);
      expect(await terminal.exited).toBe(0);
      expect(terminal.screen()).toContain('/p/msg_');
      expect(terminal.screen()).not.toContain(key.slice(0, 20));
      expect(terminal.screen()).not.toMatch(/[*•]{2}|ctrl\+t/);
    });
  });

  describe.skipIf(process.platform !== 'linux')('standard output', () => {
    test('exits with 1 and one line on standard error if it cannot be written', async () => {
      const lines = [
        ['hubs list > /dev/full', 'the disk is full'],
        ['hubs export Releases - > /dev/full', 'the disk is full'],
        ['tail --json --since all > /dev/full', 'the disk is full'],
        // Node opens /dev/null for a closed output, just like one that the caller may have opened.
        ...(runtime === 'Bun' ? [['hubs list >&-', 'standard output is closed']] : []),
      ];
      const ran = await Promise.all(lines.map(([line]) => shell(`hubctl ${line}`)));
      const stderr = lines.map(([, reason]) => new RegExp(`^error: Could not write the output: ${reason}\\. .*\n$`));
      expect(ran).toMatchObject(stderr.map((text) => ({ code: 1, stderr: expect.stringMatching(text) })));
    });

    test('on a full disk reports the ID of a key that was lost, and the commands to replace and revoke it', async () => {
      const ran = await shell("hubctl keys issue --hub Releases --name 'lost' --scopes messages > /dev/full");
      const [key] = (await on.hub.admin.listKeys()).items;
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`The key ${key?.id} was issued, but could not be shown: the disk is full.`);
      for (const fix of ['replace', 'revoke']) expect(ran.stderr).toContain(`hubctl keys ${fix} ${key?.id}`);
      expect(ran.stderr).not.toMatch(/Could not write the output|You won't see it again/);
    });

    test.skipIf(runtime === 'Node')('issues no key if standard output is closed', async () => {
      const ran = await shell('hubctl keys issue --hub Releases --name unmade --scopes messages >&-');
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('standard output is closed. No key was issued.');
      expect((await on.hubctl(['keys', 'list', '--json'])).stdout).not.toContain('unmade');
    });

    test('accepts /dev/null as standard output', async () => {
      // cron, systemd and many programs open it for reading and writing.
      const ran = ['> /dev/null', '1<> /dev/null'].map((redirection) => shell(`hubctl hubs list ${redirection}`));
      expect(await Promise.all(ran)).toMatchObject(ran.map(() => ({ code: 0, stderr: '' })));
    });
  });

  test('saves a login in a private file, and backs up only where SQLite is built in', async () => {
    using home = temporaryFolder();
    const token = await newTokenOf(on.hub, await createUser(on.hub, { role: 'owner' }));
    const elsewhere = { HUB_ADMIN_SOCKET: '', HOME: home.path };
    const login = `hubctl login ${on.hub.origin} --with-token <<< '${token}'`;
    const { stdout } = await shell(`${login} && hubctl backup ${home.file('hub.db')} --json`, elsewhere);
    expect(statSync(home.file('.config/hubctl/profiles.json')).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(runtime === 'Bun' ? '"hubs":' : '"code":"unsupported"');
    expect(existsSync(home.file('hub.db'))).toBe(runtime === 'Bun');
  });

  test('tail exits with 0 on Ctrl-C, and restores the terminal', async () => {
    await using on = await startTailing();
    await on.write('one');
    const env = { HUB_ADMIN_SOCKET: on.hub.socketPath };
    const terminal = await openTerminal('hubctl tail; echo "code $?"', env, 120, program);
    await terminal.shows('Ada Lovelace: one');
    await on.write('two');
    await terminal.shows('Ada Lovelace: two');
    terminal.press(KEYS.ctrlC);
    await terminal.shows('code 0');
    await terminal.exited;
    expect(terminal.screen()).not.toContain('\u001b');
  });

  test('tail exits silently when its output pipe is closed', async () => {
    const { stdout, stderr, code } = await shell('set -o pipefail; hubctl tail --json --since all | head -1');
    expect({ lines: stdout.trim().split('\n').length, stderr, code }).toEqual({ lines: 1, stderr: '', code: 0 });
  });

  test('tail exits on SIGTERM even if nobody reads its output', async () => {
    await using on = await startTailing();
    using folder = temporaryFolder();
    // More than a pipe holds, so that tail waits for the reader.
    await on.post('notes', { content: 'x'.repeat(200_000) });
    const script = 'mkfifo pipe; exec 3<>pipe; "$@" >pipe & read -N1 <&3; kill $!; wait $!; echo "code $?"';
    const argv = ['bash', '--norc', '-c', script, 'bash', ...(await program()), 'tail', '--json', '-n', '1'];
    const ran = await runProgram(argv, { cwd: folder.path, env: { HUB_ADMIN_SOCKET: on.hub.socketPath } });
    expect(ran.stdout).toBe('code 0\n');
  });
});
