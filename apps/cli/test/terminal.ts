import { Changes } from '@hub/testkit/concurrency';
import { defining, onBun } from './programs.ts';

/** Runs a shell command in a pseudo-terminal where `hubctl` is the real program, from source unless given. */
export async function openTerminal(line: string, env: Record<string, string>, columns = 120, program = onBun) {
  let screenText = '';
  const changes = new Changes();
  const command = `${await defining(program)} ${line}`;
  const shell = Bun.spawn(['bash', '--norc', '-c', command], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', NO_COLOR: '1', ...env },
    terminal: {
      cols: columns,
      rows: 40,
      data: (_, bytes) => {
        screenText += new TextDecoder().decode(bytes);
        changes.happened();
      },
    },
  });
  return {
    /** Resolves once the text has appeared on the screen after the last key press. */
    shows: (text: string) => changes.until(() => screenText.includes(text)),
    press: (keys: string) => {
      screenText = '';
      shell.terminal?.write(keys);
    },
    exited: shell.exited,
    screen: () => screenText,
  };
}

export const KEYS = { enter: '\r', down: '\x1b[B', ctrlC: '\x03', ctrlD: '\x04', space: ' ' } as const;
