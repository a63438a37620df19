import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

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
