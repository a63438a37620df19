import { describe, expect, test } from 'bun:test';
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

test('uses two lines for curl, one for hubctl, and no other shell syntax', () => {
  expect(shellSnippets.map(({ name, code }) => [name, code.split('\n').length])).toEqual([
    ['curl', 2],
    ['hubctl', 1],
  ]);
  for (const { code } of shellSnippets) expect(code).not.toMatch(/trap|stty|while|read|&&|;/);
});
