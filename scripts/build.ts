/**
 * `bun run build`: builds what runs without this repository, into dist/: `hub`, the server with the web app, and
 * `hubctl`, each a single file for this machine with its license notices and bill of materials, and the packages for npm
 * (build-packages.ts). The same commit gives the same bytes. `bun run build --packages` builds only the packages. `bun run build --release` builds the packages, and the two programs for all platforms, into
 * dist/release/, with their SHA-256 sums.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackages } from './build-packages.ts';
import { requireExecutable } from './executable-format.ts';

const TARGETS = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-arm64',
  'darwin-x64',
  'windows-x64',
] as const;
const PROGRAMS = { hub: 'apps/api/build.ts', hubctl: 'apps/cli/build.ts' } as const;

const root = resolve(import.meta.dir, '..');
const { values } = readArguments();

// The packages have the modes of their files.
process.umask(0o022);
const made = values.packages ? await packages() : values.release ? await release() : await forThisMachine();
console.log(made.map((path) => relative(process.cwd(), path)).join('\n'));

function readArguments() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { release: flag, packages: flag } });
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: bun run build [--release | --packages]`);
    process.exit(2);
  }
}

async function forThisMachine(): Promise<string[]> {
  await run('apps/web/build.ts');
  for (const script of Object.values(PROGRAMS)) await run(script);
  return [join(root, 'dist/hub'), join(root, 'dist/hubctl'), ...described(join(root, 'dist')), ...(await packages())];
}

/** Returns what the builds of the programs write beside them. */
function described(folder: string): string[] {
  return Object.keys(PROGRAMS).flatMap((name) =>
    ['licenses.txt', 'sbom.json'].map((file) => join(folder, `${name}.${file}`)),
  );
}

function packages(): Promise<string[]> {
  return buildPackages(root, join(root, 'dist'));
}

async function release(): Promise<string[]> {
  await run('apps/web/build.ts');
  const folder = join(root, 'dist/release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  for (const target of TARGETS) {
    for (const [name, script] of Object.entries(PROGRAMS)) {
      const file = join(folder, `${name}-${target}${target.startsWith('windows') ? '.exe' : ''}`);
      await run(script, '--outfile', file, '--target', `bun-${target}`);
      requireExecutable(file, target);
      files.push(file);
    }
  }
  files.push(...described(folder), ...(await buildPackages(root, folder)));
  const sums = join(folder, 'SHA256SUMS');
  const lines = files.map(async (file) => `${await sha256(file)}  ${basename(file)}\n`);
  await Bun.write(sums, (await Promise.all(lines)).join(''));
  return [...files, sums];
}

async function sha256(file: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256');
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk);
  return hasher.digest('hex');
}

async function run(script: string, ...argv: string[]): Promise<void> {
  const build = Bun.spawn([process.execPath, script, ...argv], { cwd: root, stdout: 'ignore', stderr: 'inherit' });
  if ((await build.exited) === 0) return;
  console.error(`${script} failed.`);
  process.exit(1);
}
