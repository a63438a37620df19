import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../start-server.ts';
import type { Hunt } from './hunt.ts';

const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');

export interface Terminal {
  readonly hunt: Hunt;
  readonly dataDir: string;
  /** The home and working directory of whoever types the commands; it is searched at the end. */
  readonly home: string;
}

export interface Typed {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** The user gave the key away in the arguments or in the environment, where the system shows it to others. */
  readonly shown?: 'arguments' | 'environment';
  /** The command prints a key, on standard output alone. */
  readonly printsKey?: true;
}

export type Run = (argv: string[], expectedCode: number, typed?: Typed) => Promise<string>;

/** A command in a process of its own. Notes all that it writes and what the system shows of it while it runs. */
export function hubctl({ hunt, dataDir, home }: Terminal): Run {
  return async (argv, expectedCode, { env = {}, stdin, shown, printsKey } = {}) => {
    const what = `hubctl ${argv
      .slice(0, 3)
      .join(' ')
      .replaceAll(/hub_live_\w+/g, '<key>')}`;
    const child = Bun.spawn([process.execPath, '--no-env-file', HUBCTL, ...argv], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, HUB_DATA_DIR: dataDir, ...env },
      stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const seen = watch(child.pid);
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const { cmdline, environ } = await seen;
    hunt.expect(`the process of ${what} was looked at`, true, cmdline.length > 0);
    hunt.expect(what, expectedCode, code, stderr + stdout);
    if (!printsKey) hunt.note(`what ${what} prints`, stdout);
    hunt.note(`what ${what} tells on stderr`, stderr);
    if (shown !== 'arguments') hunt.note(`the arguments of ${what}`, cmdline);
    if (shown !== 'environment') hunt.note(`the environment of ${what}`, environ);
    return stdout;
  };
}

/** What the system shows of a process as long as it lives: it might change its own title. */
async function watch(pid: number): Promise<{ cmdline: string; environ: string }> {
  const seen = { cmdline: new Set<string>(), environ: new Set<string>() };
  try {
    for (;;) {
      // Of a process that has ended and still waits to be read, the files are empty.
      const cmdline = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (cmdline === '' && seen.cmdline.size > 0) break;
      if (cmdline.includes(HUBCTL)) {
        seen.cmdline.add(cmdline);
        seen.environ.add(readFileSync(`/proc/${pid}/environ`, 'utf8'));
      }
      await Bun.sleep(5);
    }
  } catch {
    // It has ended.
  }
  return { cmdline: [...seen.cmdline].join('\0'), environ: [...seen.environ].join('\0') };
}
