import { dirname, join } from 'node:path';
import { REPOSITORY } from './server-process.ts';

const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs hubctl in a separate process for the server of this data folder. It is killed when this process exits, or with
 * `kill`, which does nothing if it has ended.
 */
export function startHubctl(dataDir: string, argv: readonly string[]): { kill: () => void; ended: Promise<Ran> } {
  const child = Bun.spawn([process.execPath, '--no-env-file', HUBCTL, '--data-dir', dataDir, '--json', ...argv], {
    env: { PATH: process.env.PATH ?? '', HOME: dirname(dataDir) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const endWithUs = (): void => child.kill('SIGKILL');
  process.on('exit', endWithUs);
  const ended = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]).then(
    ([stdout, stderr]) => {
      process.off('exit', endWithUs);
      return { code: child.exitCode, stdout, stderr };
    },
  );
  return { kill: endWithUs, ended };
}

/** Runs hubctl and returns its JSON output. Throws unless it exits with 0. */
export async function hubctl<T>(dataDir: string, argv: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await startHubctl(dataDir, argv).ended;
  if (code !== 0) throw new Error(`hubctl ${argv.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
