import { dirname, join } from 'node:path';
import { REPOSITORY } from './server-process.ts';

interface ProgramOptions {
  readonly cwd?: string;
  /** The environment, in addition to PATH. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By default, there is no standard input. */
  readonly stdin?: string | undefined;
}

/** Runs a program to its end. It is killed when this process exits. */
export async function runProgram(argv: readonly string[], { cwd, env, stdin }: ProgramOptions = {}) {
  const child = Bun.spawn([...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const kill = (): void => child.kill('SIGKILL');
  process.on('exit', kill);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  process.off('exit', kill);
  return { code, stdout, stderr };
}

/** Runs hubctl for the server of this data folder, and returns its JSON output. Throws unless it exits with 0. */
export async function hubctl<T>(dataDir: string, argv: readonly string[]): Promise<T> {
  const program = [process.execPath, '--no-env-file', join(REPOSITORY, 'apps/cli/src/main.ts')];
  const env = { HOME: dirname(dataDir) };
  const { code, stdout, stderr } = await runProgram([...program, '--data-dir', dataDir, '--json', ...argv], { env });
  if (code !== 0) throw new Error(`hubctl ${argv.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
