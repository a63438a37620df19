import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '@hub/testkit';
import type { Hunt } from './hunt.ts';

const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');

export interface Terminal {
  readonly hunt: Hunt;
  readonly dataDir: string;
  /** The home and working directory of the commands, which is searched at the end. */
  readonly home: string;
}

interface Typed {
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
function environmentOf({ dataDir, home }: Terminal): Record<string, string> {
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

/**
 * A command that runs another one without a umask, so that files are protected only by the modes that the program
 * itself sets.
 */
export const WITHOUT_UMASK = ['/bin/sh', '-c', 'umask 0; exec "$@"', 'sh'] as const;

/**
 * Lists entries in a folder, at any depth and including the folder itself, that other users may read, write or execute.
 */
export function openToOthers(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.flatMap((name) => {
    const { mode } = lstatSync(join(folder, name));
    return (mode & 0o077) === 0 ? [] : [`${name} (${(mode & 0o777).toString(8)})`];
  });
}

const LOOK_MS = 5;
/** The whole list is read less often, since reading it takes longer than reading one process. */
const LOOKS_PER_LIST = 5;

interface SeenProcess {
  /** All argument lists that the process has had, since it might change its own title. */
  readonly cmdline: string;
  readonly environ: string;
  /** The arguments of every process on the machine while this process ran, as any user sees them. */
  readonly others: string;
}

/** Collects `/proc` data of a process while it runs, starting when `program` is among its arguments. */
async function watchProcess(pid: number, program: string): Promise<SeenProcess> {
  const seen = { cmdline: new Set<string>(), environ: new Set<string>(), others: new Set<string>() };
  try {
    for (let look = 0; ; look += 1) {
      // The files of a zombie process are empty.
      const cmdline = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (cmdline === '' && seen.cmdline.size > 0) break;
      if (cmdline.includes(program)) {
        seen.cmdline.add(cmdline);
        seen.environ.add(readFileSync(`/proc/${pid}/environ`, 'utf8'));
      }
      if (look % LOOKS_PER_LIST === 0) for (const other of processList()) seen.others.add(other);
      await Bun.sleep(LOOK_MS);
    }
  } catch {
    // It has exited.
  }
  const joined = (texts: Set<string>): string => [...texts].join('\0');
  return { cmdline: joined(seen.cmdline), environ: joined(seen.environ), others: joined(seen.others) };
}

/** Returns the arguments of every process, as `ps` shows them. */
export function processList(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    });
}

/**
 * Types lines into an interactive shell and exits it, so that it writes its history. Records its output, and what the
 * system shows of it while it runs. Returns the history, which is in the searched home directory.
 */
export async function typeIntoShell(terminal: Terminal, lines: readonly string[]): Promise<string> {
  const { hunt, home } = terminal;
  const history = join(home, '.bash_history');
  writeFileSync(join(home, '.bashrc'), `hubctl() { '${process.execPath}' --no-env-file '${HUBCTL}' "$@"; }\n`, {
    mode: 0o600,
  });
  const shell = Bun.spawn(['/bin/bash', '--noprofile', '-i'], {
    cwd: home,
    env: { ...environmentOf(terminal), HISTFILE: history, PS1: '' },
    stdin: Buffer.from(`set -o history\n${lines.join('\n')}\nexit 0\n`),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const seen = watchProcess(shell.pid, '/bin/bash');
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  const { cmdline, environ, others } = await seen;
  hunt.expect('the shell', 0, code, stderr);
  hunt.note('what the shell shows', stdout + stderr);
  hunt.note('the processes of the shell', [cmdline, environ, others].join('\0'));
  return existsSync(history) ? readFileSync(history, 'utf8') : '';
}
