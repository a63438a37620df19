import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A command that runs another with no umask, so that only what a program asks for itself keeps its files from others. */
export const WITHOUT_UMASK = ['/bin/sh', '-c', 'umask 0; exec "$@"', 'sh'] as const;

/** Lists entries in a folder, at any depth, and the folder itself that users other than the owner may read, write or run. */
export function openToOthers(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.flatMap((name) => {
    const { mode } = lstatSync(join(folder, name));
    return (mode & 0o077) === 0 ? [] : [`${name} (${(mode & 0o777).toString(8)})`];
  });
}
