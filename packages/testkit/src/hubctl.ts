import { dirname, join } from 'node:path';
import { REPOSITORY } from './server-process.ts';

const HUBCTL = join(REPOSITORY, 'apps/cli/src/main.ts');

/**
 * Runs hubctl in a separate process for the server of this data folder, and returns its JSON output. Throws unless it
 * exits with 0.
 */
export async function hubctl<T>(dataDir: string, argv: readonly string[]): Promise<T> {
  const child = Bun.spawn([process.execPath, '--no-env-file', HUBCTL, '--data-dir', dataDir, '--json', ...argv], {
    env: { PATH: process.env.PATH ?? '', HOME: dirname(dataDir) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const endWithUs = (): void => child.kill('SIGKILL');
  process.on('exit', endWithUs);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  process.off('exit', endWithUs);
  if (code !== 0) throw new Error(`hubctl ${argv.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
