/**
 * `bun run build --packages`: packs the packages for npm into dist/: `hub-client-VERSION.tgz` for programs, and
 * `hubctl-VERSION.tgz`, which runs on Node. Neither has dependencies.
 */
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../packages/client/build.ts';
import { buildVersion, packageVersion } from './build-version.ts';

/** Creates both packages in `folder` and returns the paths of the tarballs. */
export async function buildPackages(root: string, folder: string): Promise<string[]> {
  const version = packageVersion(buildVersion(root));
  const staging = join(folder, 'packages');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const old of new Bun.Glob('{hub-client,hubctl}-*.tgz').scanSync({ cwd: folder })) rmSync(join(folder, old));
  const [client, hubctl] = [join(staging, 'client'), join(staging, 'hubctl')];
  await buildClient(client, version);
  await prepareHubctl(root, hubctl, version);
  const tarballs = [await pack(client, folder), await pack(hubctl, folder)];
  rmSync(staging, { recursive: true });
  return tarballs;
}

async function prepareHubctl(root: string, folder: string, version: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'hubctl.js');
  await run(root, 'apps/cli/build.ts', '--target', 'node', '--outfile', program);
  renameSync(join(folder, 'hubctl.licenses.txt'), join(folder, 'LICENSES.txt'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(root, 'apps/cli/README.md'), join(folder, 'README.md'));
  const manifest = {
    name: 'hubctl',
    version,
    description: 'Manage a Hub server and post to it',
    type: 'module',
    license: 'MIT',
    engines: { node: '>=20' },
    bin: { hubctl: 'hubctl.js' },
    files: ['hubctl.js', 'hubctl-mcp.mjs', 'LICENSES.txt'],
  };
  await Bun.write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Packs a folder as npm does, and returns the path of the tarball. */
async function pack(folder: string, destination: string): Promise<string> {
  const name = await run(folder, 'pm', 'pack', '--destination', destination, '--ignore-scripts', '--quiet');
  return join(destination, name.trim().split('/').pop() ?? '');
}

async function run(cwd: string, ...argv: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, ...argv], { cwd, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) return output;
  throw new Error(`bun ${argv.join(' ')} failed:\n${output}${errors}`);
}
