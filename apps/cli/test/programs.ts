import { renameSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CLI = resolve(import.meta.dir, '..');

type Program = () => Promise<string[]>;

/** The command lines that tests of the process run: hubctl from source on Bun, and as in the package for npm on Node. */
export const onBun: Program = async () => [process.execPath, join(CLI, 'src/main.ts')];
const onNode: Program = async () => {
  built ??= buildForNode();
  return ['node', await built];
};
export const PROGRAMS: ['Bun' | 'Node', Program][] = [
  ['Bun', onBun],
  ['Node', onNode],
];

let built: Promise<string> | undefined;

/** Builds the program of the package for npm, once for all test files of this process. */
async function buildForNode(): Promise<string> {
  // The name makes it a module, as the package.json of the package does.
  const own = join(CLI, `dist/hubctl-${process.pid}.mjs`);
  const argv = [process.execPath, join(CLI, 'build.ts'), '--target', 'node', '--outfile', own];
  const build = Bun.spawn(argv, { stderr: 'pipe' });
  const errors = await build.stderr.text();
  if ((await build.exited) !== 0) throw new Error(errors);
  // Another process with the same code may be using it.
  const shared = join(CLI, 'dist/hubctl.mjs');
  renameSync(own, shared);
  return shared;
}

/** Returns a line for bash that defines `hubctl` as this program. */
export async function defining(program: Program): Promise<string> {
  return `hubctl() { '${(await program()).join("' '")}' "$@"; };`;
}
