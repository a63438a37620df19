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

const PAGE = 'docs/dependencies.md';

/** Finds versions that are not exact or differ between files, packages that the page does not name, registry addresses. */
export function dependencyProblems(files: readonly string[], read: (path: string) => string): string[] {
  return [
    ...versionProblems(files, read),
    ...pageProblems(files, read),
    ...bunProblems(files, read),
    ...registryProblems(files, read),
  ];
}

function dependenciesOf(manifest: string): [name: string, version: string][] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = JSON.parse(manifest) as Manifest;
  const all = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
  return Object.entries(all).filter(([, version]) => version !== 'workspace:*');
}

function manifests(files: readonly string[]): string[] {
  return files.filter((file) => /(^|\/)package\.json$/.test(file));
}

/** Compares the packages in the first column of the page's tables with those of all package.json files. */
function pageProblems(files: readonly string[], read: (path: string) => string): string[] {
  const cells = [...read(PAGE).matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell);
  const named = new Set(cells.flatMap((cell) => cell.match(/(?<=`)[^`, ]+(?=`)/g) ?? []));
  const used = new Set(manifests(files).flatMap((path) => dependenciesOf(read(path)).map(([name]) => name)));
  return [
    ...[...used.difference(named)].map((name) => `${PAGE}: does not name ${name}`),
    ...[...named.difference(used)].map((name) => `${PAGE}: names ${name}, which no package.json has`),
  ];
}

function versionProblems(files: readonly string[], read: (path: string) => string): string[] {
  const problems: string[] = [];
  const first = new Map<string, { version: string; path: string }>();
  for (const path of manifests(files)) {
    for (const [name, version] of dependenciesOf(read(path))) {
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
