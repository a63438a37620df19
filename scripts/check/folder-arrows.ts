import { dirname, join } from 'node:path';

/** The trees whose folders import each other in one direction only. */
const ROOTS = ['apps/api/src', 'apps/cli/src', 'apps/web/src', 'packages/client/src'];
/** The layers of the web app. A layer imports only from itself and from those after it. */
const LAYERS = ['pages', 'ui', 'data', 'lib'].map((name) => `apps/web/src/${name}`);
/** Tests, and what only tests use, may import from everywhere. */
const TESTS = /\.test\.tsx?$|-contract\.ts$|\/testing\//;
const IMPORT = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'(\.{1,2}\/[^']+)'/g;

/** Finds imports from a layer above, and pairs of folders that import each other, directly. Imports of types count. */
export function folderArrowProblems(files: readonly string[], read: (path: string) => string): string[] {
  const sources = files.filter(
    (path) => /\.tsx?$/.test(path) && !TESTS.test(path) && ROOTS.some((root) => path.startsWith(`${root}/`)),
  );
  /** The first import from one folder to another, by the names of both. */
  const arrows = new Map<string, string>();
  for (const path of sources) {
    const from = dirname(path);
    for (const [, imported = ''] of read(path).matchAll(IMPORT)) {
      const target = join(from, imported);
      const arrow = `${from} > ${dirname(target)}`;
      if (from !== dirname(target) && !arrows.has(arrow)) arrows.set(arrow, `${path} imports ${target}`);
    }
  }
  return [...arrows].flatMap(([arrow, example]) => {
    const [from = '', to = ''] = arrow.split(' > ');
    if (layerOf(from) > layerOf(to)) return [`${example}: ${to} is in a layer above`];
    const back = arrows.get(`${to} > ${from}`);
    return back === undefined || from > to ? [] : [`${from} and ${to} import each other: ${example}, ${back}`];
  });
}

/** Returns the position of a folder's layer, or -1 for a folder outside, from which no layer may import. */
function layerOf(folder: string): number {
  return LAYERS.findIndex((layer) => folder === layer || folder.startsWith(`${layer}/`));
}
