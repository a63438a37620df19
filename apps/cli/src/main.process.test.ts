import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { defining, PROGRAMS } from '@hub/testkit/cli/programs';
import { KEYS, openTerminal } from '@hub/testkit/cli/terminal';
import { startScriptedServer } from '@hub/testkit/scripted-server';

describe.each(PROGRAMS)('hubctl on %s', (_, program) => {
  let on: HubctlOnHub;
  let env: Record<string, string>;
  beforeAll(async () => {
    on = await startHubctl();
    env = { HUB_ADMIN_SOCKET: on.hub.socketPath };
  });
  afterAll(() => on.stop());

  /** Runs a shell command where `hubctl` is the real program. */
  async function shell(line: string, extra: Record<string, string> = {}, stdin: 'ignore' | 'pipe' = 'ignore') {
    const bash = Bun.spawn(['bash', '--norc', '-c', `${await defining(program)} ${line}`], {
      env: { PATH: process.env.PATH, ...env, ...extra },
      stdin,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, code] = await Promise.all([bash.stdout.text(), bash.stderr.text(), bash.exited]);
    return { stdout, stderr, code };
  }

  describe('the process', () => {
    test('exits with the code of its command', async () => {
      expect((await shell('hubctl hubs list')).code).toBe(0);
      expect((await shell('hubctl hubs lst')).code).toBe(2);
      expect((await shell('hubctl status --data-dir /nonexistent')).code).toBe(3);
    });

    test('exits with 1 and an error if standard input is closed', async () => {
      const { key } = await on.issue('closed');
      const ran = await shell('hubctl post <&-', { HUB_API_KEY: key });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toStartWith('error: ');
    });

    test('writes a long list completely, and exits silently if the reader has closed the pipe', async () => {
      const items = Array.from({ length: 20_000 }, (_, index) => ({
        id: `hub_${index}`,
        name: 'x'.repeat(60),
        createdAt: '2026-03-01T09:30:00.000Z',
      }));
      await using server = startScriptedServer(() => Response.json({ items, next: null }));
      const dataDir = { HUB_ADMIN_SOCKET: server.socketPath };
      expect(JSON.parse((await shell('hubctl hubs list --json', dataDir)).stdout).items).toHaveLength(20_000);
      const cut = await shell('set -o pipefail; hubctl hubs list | head -1', dataDir);
      expect(cut.code).toBe(0);
      expect(cut.stdout).toStartWith('NAME');
      expect(cut.stderr).toBe('');
    });
  });

  describe.skipIf(process.platform !== 'linux')('an argument that is not UTF-8', () => {
    const LATIN = "$'caf\\xe9'";

    test.each([
      `post ${LATIN}`,
      `post Hello --run-marker ${LATIN}`,
      `hubs create ${LATIN}`,
      `hubs list --profile ${LATIN}`,
    ])('is an error that says how to convert it, and nothing is sent: %s', async (line) => {
      const { id, key } = await on.issue(line);
      const ran = await shell(`hubctl ${line}`, { HUB_API_KEY: key });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toBe(
        'error: An argument is not UTF-8 text.\nConvert it first, for example: iconv -f ISO-8859-1 -t UTF-8\n',
      );
      expect((await on.hubctl(['hubs', 'list'])).stdout).not.toContain('caf');
      expect((await on.hubctl(['keys', 'show', id, '--json'])).json()).toMatchObject({ postCount: 0 });
    });

    test('is a warning with --soft-fail', async () => {
      const { key } = await on.issue('soft');
      const ran = await shell(`hubctl post ${LATIN} --soft-fail`, { HUB_API_KEY: key });
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toStartWith('warning: Not posted: An argument is not UTF-8 text.');
    });
  });

  describe('at a real terminal', () => {
    test('prompts on standard error, so that a redirected key is alone in its file', async () => {
      using folder = temporaryFolder();
      const file = folder.file('key');
      const terminal = await openTerminal(`hubctl keys issue > ${file}`, env, 120, program);
      await terminal.shows('Which Hub?');
      terminal.press(KEYS.enter);
      await terminal.shows('Name of the key');
      terminal.press(`by hand${KEYS.enter}`);
      await terminal.shows('To-dos');
      // Messages are selected, as in the web app. This adds notes.
      terminal.press(KEYS.down + KEYS.space + KEYS.enter);
      await terminal.shows('When should the key expire?');
      terminal.press(KEYS.down + KEYS.enter);
      expect(await terminal.exited).toBe(0);
      const key = (await Bun.file(file).text()).trimEnd();
      expect(hasTokenFormat(KEY_PREFIX, key)).toBe(true);
      expect(terminal.screen()).not.toContain(key);
      const issued = (await on.hubctl(['keys', 'show', 'by hand', '--json'])).json();
      expect(issued).toMatchObject({ scopes: ['messages:create', 'notes:create'], expiresAt: expect.any(String) });
    });

    for (const [name, key] of [
      ['Ctrl-C', KEYS.ctrlC],
      ['Ctrl-D', KEYS.ctrlD],
    ] as const) {
      test(`exits with 130 and changes nothing on ${name} at a prompt`, async () => {
        await on.hub.admin.createHub(`Kept from ${name}`);
        const terminal = await openTerminal(`hubctl hubs delete 'Kept from ${name}'`, env, 120, program);
        await terminal.shows('Delete the Hub');
        terminal.press(key);
        expect(await terminal.exited).toBe(130);
        expect(terminal.screen()).toContain('Canceled. Nothing was changed.');
        expect((await on.hubctl(['hubs', 'show', `Kept from ${name}`, '--json'])).json()).toMatchObject({
          deletedAt: null,
        });
      });
    }

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
});
