import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

interface Component {
  type: 'library' | 'application' | 'platform';
  name: string;
  version: string;
  purl?: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
}

/** The workspaces that the programs consist of. */
const WORKSPACES = ['apps/api', 'apps/cli', 'apps/web', 'packages/client', 'packages/contract'];

/**
 * Lists the packages that the programs are built from, with their licences (CycloneDX 1.6, cyclonedx.org/docs/1.6/json).
 * It contains no time, so that the same commit gives the same list.
 */
export async function billOfMaterials(root: string, version: string): Promise<object> {
  const packages = new Map<string, Component>();
  const visited = new Set<string>();
  const visit = async (folder: string, isOurs: boolean): Promise<void> => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const manifest = (await Bun.file(join(folder, 'package.json')).json()) as Manifest;
    if (!isOurs) packages.set(`${manifest.name}@${manifest.version}`, componentOf(manifest));
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
      const found = folderOf(name, folder);
      // A package that is not installed is optional on this platform.
      if (found !== null) await visit(found, wanted.startsWith('workspace:'));
    }
  };
  for (const workspace of WORKSPACES) await visit(join(root, workspace), true);
  const { packageManager = '' } = (await Bun.file(join(root, 'package.json')).json()) as { packageManager?: string };
  const runtime: Component = { type: 'platform', name: 'bun', version: packageManager.replace('bun@', '') };
  const components = [...packages.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'hub', version } satisfies Component },
    components: [runtime, ...components],
  };
}

function componentOf({ name, version, license }: Manifest): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  if (license === undefined) return { type: 'library', name, version, purl };
  const isExpression = /[ ()]/.test(license);
  return {
    type: 'library',
    name,
    version,
    purl,
    licenses: [isExpression ? { expression: license.replace(/^\((.*)\)$/, '$1') } : { license: { id: license } }],
  };
}

/** Finds an installed package as Node.js does: in the nearest `node_modules` above. */
function folderOf(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (folder === dirname(folder)) return null;
  }
}
