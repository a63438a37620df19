import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf } from '@hub/testkit/in-process/users';
import { READ_KEY, snippetsFor } from './snippets.ts';

const KEY = 'hub_live_typed';
/** Shell stubs for the commands in the snippets. They print the key that the real commands would send. */
const STUBS = `curl() { echo "curl with <$HUB_API_KEY>"; }; hubctl() { echo "hubctl with <$HUB_API_KEY>"; };`;
const ECHO = `stty -a | grep -q -- ' echo ' && echo 'It shows what is typed.'`;
/** The `c_lflag` bit (ECHO) of a terminal that shows what is typed; see termios(3). */
const ECHO_FLAG = 8;
const shellSnippets = snippetsFor('messages', 'https://hub.example').filter(({ isForShell }) => isForShell);

/** Runs `script` in a terminal, and types the key once the terminal no longer shows what is typed. */
async function runAtTerminal(shell: string, script: string): Promise<string> {
  let screen = '';
  const ran = Bun.spawn([shell, '-euc', script], {
    env: { PATH: Bun.env.PATH ?? '', TERM: 'dumb' },
    terminal: {
      cols: 200,
      data: (_, bytes) => {
        screen += new TextDecoder().decode(bytes);
      },
    },
  });
  const { terminal } = ran;
  while (terminal && ran.exitCode === null && (terminal.localFlags & ECHO_FLAG) !== 0) {
    await new Promise(setImmediate);
  }
  terminal?.write(`${KEY}\n`);
  await ran.exited;
  return screen;
}

describe.each(['bash', 'zsh'].filter((shell) => Bun.which(shell) !== null))('in %s', (shell) => {
  test.each(shellSnippets.map(({ name, code }) => [name, code]))(
    '%s sends the key that was typed, and the terminal does not show it while it is typed',
    async (name, code) => {
      const screen = await runAtTerminal(shell, `${STUBS}\n${READ_KEY}\n${code}\n${ECHO}`);
      expect(screen).toContain(`${name} with <${KEY}>`);
      expect(screen.split(KEY)).toHaveLength(2);
      expect(screen).toContain('It shows what is typed.');
    },
  );
});

/** The home folder for the snippets. It has no hubctl profile, and is deleted afterwards along with Bun's caches. */
const home = mkdtempSync(join(tmpdir(), 'hub-web-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const ROOT = join(import.meta.dir, '../../../../../..');

/** Runs a copied snippet with the key in the environment. */
async function run(command: string[], env: Record<string, string>): Promise<void> {
  const ran = Bun.spawn(command, {
    cwd: join(ROOT, 'apps/cli'),
    env: { PATH: Bun.env.PATH ?? '', HOME: home, ...env },
    stderr: 'pipe',
  });
  if ((await ran.exited) !== 0) throw new Error(`${command.join(' ')}: ${await new Response(ran.stderr).text()}`);
}

test.each(['messages', 'notes', 'todos'] as const)(
  'each snippet for %s creates a post when it is run',
  async (kind) => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const ada = await memberOf(hub, hubId);
    const { key } = await hub.admin.issueKey({ hubId, name: 'ci', scopes: [`${kind}:create`] });
    const [curl, hubctl, client, actions] = snippetsFor(kind, hub.url).map(({ code }) => code);
    const hubctlHere = `hubctl() { ${process.execPath} ${join(ROOT, 'apps/cli/src/main.ts')} "$@"; }\n`;
    for (const script of [curl, hubctlHere + hubctl]) await run(['bash', '-euc', script ?? ''], { HUB_API_KEY: key });
    await run([process.execPath, '-e', client ?? ''], { HUB_API_KEY: key });
    const [, script = ''] = actions?.split('run: |\n') ?? [];
    const evaluated = script.replaceAll(/\$\{\{ job\.status \}\}/g, 'success');
    const runner = { HUB_API_KEY: key, GITHUB_REPOSITORY: 'example/site', GITHUB_RUN_NUMBER: '42' };
    await run(['bash', '-euc', evaluated], runner);
    const { body } = await ada.json<{ items: object[] }>('GET', `/hubs/${hubId}/${kind}`);
    expect(body.items).toHaveLength(4);
    expect(JSON.stringify(body.items[0])).toMatch(/example\/site.*42|42.*example\/site/);
  },
);
