/** A change to one source file as it is loaded. As a preload of Bun, this file makes the one in `SOURCE_CHANGE`. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `file` is a path in the repository; `find` must occur in the file. */
export interface SourceChange {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Makes all Bun processes that inherit this environment, such as servers, run with this change, to show that a proof
 * notices it; also this process, in modules that have not been imported yet.
 */
export function changeSource(change: SourceChange): void {
  const BUN_OPTIONS = `--preload=${import.meta.path}`;
  Object.assign(process.env, { SOURCE_CHANGE: JSON.stringify(change), BUN_OPTIONS });
  apply(change);
}

/** Whether the file has the line that is changed. */
export function isInSource({ file, find }: SourceChange): boolean {
  const path = join(import.meta.dir, '../../..', file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(find);
}

function apply({ file, find, replace }: SourceChange): void {
  Bun.plugin({
    name: 'a deliberate change',
    setup: (build) => {
      build.onLoad({ filter: new RegExp(`[\\\\/]${RegExp.escape(file)}$`) }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!source.includes(find)) throw new Error(`${file} does not contain ${find}`);
        return { contents: source.replace(find, () => replace), loader: 'ts' };
      });
    },
  });
}

if (process.env.SOURCE_CHANGE) {
  apply(JSON.parse(process.env.SOURCE_CHANGE) as SourceChange);
  // The server's threads do not preload this file by themselves.
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, { ...options, preload: import.meta.path });
    }
  };
}
