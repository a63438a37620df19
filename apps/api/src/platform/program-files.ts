import { basename, join } from 'node:path';

/** Returns the path of a file of the program. In an executable (`apps/api/build.ts`), all stand side by side. */
export function programFile(sourceFolder: string, path: string): string {
  return Bun.isStandaloneExecutable ? join(import.meta.dir, basename(path)) : join(sourceFolder, path);
}
