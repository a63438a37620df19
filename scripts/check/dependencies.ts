interface Manifest {
  packageManager?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Files in which a registry's address would affect every installation. */
const CONFIGURATION = /(^|\/)(bun\.lock|bunfig\.toml|package\.json|\.npmrc)$/;
const NAMES_BUN = /\.(md|ts|json|yml|yaml)$|^\.ci\/|^scripts\//;

/** Finds versions that are not exact or that differ between files, and registry addresses. */
export function dependencyProblems(files: readonly string[], read: (path: string) => string): string[] {
  return [...versionProblems(files, read), ...bunProblems(files, read), ...registryProblems(files, read)];
}

function versionProblems(files: readonly string[], read: (path: string) => string): string[] {
  const problems: string[] = [];
  const first = new Map<string, { version: string; path: string }>();
  for (const path of files.filter((file) => /(^|\/)package\.json$/.test(file))) {
    const manifest = JSON.parse(read(path)) as Manifest;
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
    const all = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
    for (const [name, version] of Object.entries(all)) {
      if (version === 'workspace:*') continue;
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        problems.push(`${path}: ${name} ${version} is not an exact version`);
      const other = first.get(name);
      if (other && other.version !== version)
        problems.push(`${path}: ${name} is ${version}, but ${other.version} in ${other.path}`);
      first.set(name, other ?? { version, path });
    }
  }
  return problems;
}

/** Finds versions of Bun, in its types and in documented commands, that differ from the one in package.json. */
function bunProblems(files: readonly string[], read: (path: string) => string): string[] {
  const { packageManager = '', devDependencies = {} } = JSON.parse(read('package.json')) as Manifest;
  const version = packageManager.replace(/^bun@/, '');
  const problems = files
    .filter((path) => NAMES_BUN.test(path) && !path.startsWith('scripts/check/'))
    .flatMap((path) => [...read(path).matchAll(/\bbun@(\d[\w.-]*\d)/g)].map(([, named]) => ({ path, named })))
    .filter(({ named }) => named !== version)
    .map(({ path, named }) => `${path}: names bun@${named}, but package.json bun@${version}`);
  if (devDependencies['bun-types'] !== version)
    problems.push(`package.json: bun-types is ${devDependencies['bun-types']}, but Bun ${version}`);
  return problems;
}

function registryProblems(files: readonly string[], read: (path: string) => string): string[] {
  return files
    .filter((path) => CONFIGURATION.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/\bhttps?:\/\/[^\s"']+|^\s*registry\s*=.*/gm)].map(([found]) => ({ path, found })),
    )
    .map(({ path, found }) => `${path}: contains an address: ${found.trim()}`);
}
