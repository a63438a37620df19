import { join } from 'node:path';
import { REPOSITORY } from '@hub/testkit';
import { WITHOUT_UMASK } from './file-modes.ts';
import type { Hunt } from './hunt.ts';
import { watchProcess } from './process-list.ts';

export const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');

export interface Terminal {
  readonly hunt: Hunt;
  readonly dataDir: string;
  /** The home and working directory of the commands, which is searched at the end. */
  readonly home: string;
}

export interface Typed {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Whether the secret was passed in the arguments or the environment, where the system shows it to others. */
  readonly shown?: 'arguments' | 'environment';
  /** Whether the command prints a secret. It may do so only on standard output. */
  readonly printsSecret?: true;
}

export type Run = (argv: string[], expectedCode: number, typed?: Typed) => Promise<string>;

/** In the home directory, Bun caches compiled sources, which do not contain any data that the program processes. */
export const WITHOUT_BUN_CACHE = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' } as const;

/** The environment of every command. */
export function environmentOf({ dataDir, home }: Terminal): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, HUB_DATA_DIR: dataDir, ...WITHOUT_BUN_CACHE };
}

/** Runs a command in a separate process. Records all its output, and what the system shows of it while it runs. */
export function hubctl(terminal: Terminal): Run {
  const { hunt, home } = terminal;
  return async (argv, expectedCode, { env = {}, stdin, shown, printsSecret } = {}) => {
    const what = `hubctl ${argv
      .slice(0, 3)
      .join(' ')
      .replaceAll(/hub_(live|pat|ses|lnk)_\w+/g, '<secret>')}`;
    const child = Bun.spawn([...WITHOUT_UMASK, process.execPath, '--no-env-file', HUBCTL, ...argv], {
      cwd: home,
      env: { ...environmentOf(terminal), ...env },
      stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const seen = watchProcess(child.pid, HUBCTL);
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const { cmdline, environ, others } = await seen;
    hunt.expect(`the process of ${what} was looked at`, true, cmdline.length > 0);
    hunt.expect(what, expectedCode, code, stderr + (printsSecret ? '' : stdout));
    if (!printsSecret) hunt.note(`what ${what} prints`, stdout);
    hunt.note(`what ${what} tells on stderr`, stderr);
    if (shown !== 'arguments') hunt.note(`the arguments of ${what}`, cmdline);
    if (shown !== 'arguments') hunt.note(`the list of processes beside ${what}`, others);
    if (shown !== 'environment') hunt.note(`the environment of ${what}`, environ);
    return stdout;
  };
}
