import { basename, join } from 'node:path';

/**
 * Returns the path of a file or folder that comes with the program. In an executable (`apps/api/build.ts`), it stands
 * beside the bundled code, without the folders above it, so its name must differ from all others.
 */
export function programFile(sourceFolder: string, path: string): string {
  return Bun.isStandaloneExecutable ? join(import.meta.dir, basename(path)) : join(sourceFolder, path);
}
