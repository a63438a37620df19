import { dirname, join } from 'node:path';
import { REPOSITORY } from './server-process.ts';

interface ProgramOptions {
  readonly cwd?: string;
  /** The environment, in addition to PATH. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By default, there is no standard input. */
  readonly stdin?: string | undefined;
}

/**
 * Starts a program. `ended` resolves with its output and its exit code. It is killed when this process exits, or with
 * `kill`, which does nothing if it has ended.
 */
function startProgram(argv: readonly string[], { cwd, env, stdin }: ProgramOptions = {}) {
  const child = Bun.spawn([...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const kill = (): void => child.kill('SIGKILL');
  process.on('exit', kill);
  const output = Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const ended = output.then(([stdout, stderr, code]) => {
    process.off('exit', kill);
    return { code, stdout, stderr };
  });
  return { kill, ended };
}

/** Runs a program to its end. */
export const runProgram = (...given: Parameters<typeof startProgram>) => startProgram(...given).ended;

/** Starts hubctl for the server of this data folder. */
export function startHubctl(dataDir: string, argv: readonly string[]) {
  const program = [process.execPath, '--no-env-file', join(REPOSITORY, 'apps/cli/src/main.ts')];
  return startProgram([...program, '--data-dir', dataDir, '--json', ...argv], { env: { HOME: dirname(dataDir) } });
}

/** Runs hubctl and returns its JSON output. Throws unless it exits with 0. */
export async function hubctl<T>(dataDir: string, argv: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await startHubctl(dataDir, argv).ended;
  if (code !== 0) throw new Error(`hubctl ${argv.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
