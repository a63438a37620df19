import { describe, expect, test } from 'bun:test';
import { snippetsFor } from './snippets.ts';

const KEY = 'hub_live_typed';
const GOOD = 'hub_live_good';
/** What the snippets run, as a shell sees it: they tell with which key. */
const STUBS = `curl() { echo "curl with <$HUB_API_KEY>"; }; hubctl() { echo "hubctl with <$HUB_API_KEY>"; };`;
const ECHO = `stty -a | grep -q -- ' echo ' && echo 'It shows what is typed.'`;
const [curl = '', hubctl = ''] = snippetsFor('messages', 'https://hub.example').map(({ code }) => code);

const environment = (key: string | undefined) => ({
  PATH: Bun.env.PATH ?? '',
  PS1: '$ ',
  TERM: 'dumb',
  ...(key === undefined ? {} : { HUB_API_KEY: key }),
});

/** What a shell is not to read as it starts: what would give it another prompt. */
const PLAIN: Record<string, string[]> = { bash: ['--norc'], zsh: ['-f'] };

/** Not the line of the snippet that asks, which the terminal shows as it is pasted. */
const ASKED = /(?<!')API key: /;

/** Where nobody can be asked. */
async function runAlone(shell: string, script: string, key?: string) {
  const ran = Bun.spawn([shell, '-euc', STUBS + script], {
    env: environment(key),
    stdin: new Blob(['not a key\n']),
    stderr: 'pipe',
  });
  return { code: await ran.exited, told: await ran.stdout.text(), fault: await ran.stderr.text() };
}

/** In a terminal: each text of `typed` is typed once that before it is on the screen. */
async function runAtTerminal(argv: string[], typed: readonly (readonly [seen: RegExp, keys: string])[], key?: string) {
  let screen = '';
  let from = 0;
  const waiting = [...typed];
  const ran = Bun.spawn(argv, {
    env: environment(key),
    terminal: {
      cols: 200,
      data: (terminal, bytes) => {
        screen += new TextDecoder().decode(bytes);
        const [next] = waiting;
        const seen = next?.[0].exec(screen.slice(from));
        if (!next || !seen) return;
        from += seen.index + seen[0].length;
        waiting.shift();
        terminal.write(next[1]);
      },
    },
  });
  const code = await ran.exited;
  return { code, screen };
}

describe.each(['bash', 'dash', 'zsh'].filter((shell) => Bun.which(shell) !== null))('in %s', (shell) => {
  test.each([
    ['curl', curl],
    ['hubctl', hubctl],
  ])('%s takes the key that is set, and asks nobody', async (program, code) => {
    expect(await runAlone(shell, code, GOOD)).toEqual({ code: 0, told: `${program} with <${GOOD}>\n`, fault: '' });
    const { screen } = await runAtTerminal([shell, '-euc', STUBS + code], [], GOOD);
    expect(screen.trim()).toBe(`${program} with <${GOOD}>`);
  });

  test('without a key it asks at a terminal, does not show what is typed, and takes nothing for no key', async () => {
    const { code, screen } = await runAtTerminal([shell, '-euc', `${STUBS}${curl}; ${ECHO}`], [[ASKED, `\n${KEY}\n`]]);
    expect(code).toBe(0);
    expect(screen).toContain(`curl with <${KEY}>`);
    expect(screen.split(KEY)).toHaveLength(2);
    expect(screen).toContain('It shows what is typed.');
  });

  test('without a key and a terminal nothing is sent, and it says what is missing', async () => {
    const { code, told, fault } = await runAlone(shell, curl);
    expect([code === 0, told]).toEqual([false, '']);
    expect(fault).toContain('HUB_API_KEY');
  });

  test('an input that ends before a key was typed sends nothing', async () => {
    const { code, screen } = await runAtTerminal([shell, '-euc', STUBS + curl], [[ASKED, '\x04']]);
    expect(code).not.toBe(0);
    expect(screen).toContain('HUB_API_KEY');
    expect(screen).not.toContain('curl with');
  });

  test('pasted at a prompt it waits for the key; broken off, the terminal shows what is typed again', async () => {
    const { screen } = await runAtTerminal(
      [shell, ...(PLAIN[shell] ?? []), '-i'],
      [
        [/\$ /, `${STUBS}\n`],
        [/\$ /, `${curl}\n`],
        [ASKED, '\x03'],
        [/\$ /, `${ECHO}\n`],
        [/It shows what is typed\.\r\n/, `${curl}\n`],
        [ASKED, `${KEY}\n`],
        [/curl with </, 'exit 0\n'],
      ],
    );
    expect(screen).toContain(`curl with <${KEY}>`);
    expect(screen.split(KEY)).toHaveLength(2);
  });
});
