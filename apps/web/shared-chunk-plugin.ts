import { extname, resolve } from 'node:path';
import type { BuildMetafile, BunPlugin, Loader } from 'bun';

const NAME = 'shared-chunk';
/** A module that fewer pages share stays apart, since all others would load it for nothing. */
const MIN_PAGES = 3;

/**
 * Puts the modules that `page` shares with other pages into one chunk, as an earlier build without this plugin has them.
 * There, each combination of pages that share a module has a chunk of its own, and a page fetches more than a dozen of a
 * few hundred bytes. Modules come into one chunk if the same pages need them, so each page that needs one of them
 * imports all. Modules that `first` imports are loaded anyway.
 */
export function sharedChunkPlugin(
  { outputs }: BuildMetafile,
  { first, page }: { first: string; page: string },
): BunPlugin {
  const collect = (output: string, found = new Set<string>()): Set<string> => {
    if (found.has(output)) return found;
    found.add(output);
    for (const { path, kind } of outputs[output]?.imports ?? []) if (kind === 'import-statement') collect(path, found);
    return found;
  };
  const pages = Object.entries(outputs).flatMap(([output, { entryPoint }]) =>
    entryPoint === undefined ? [] : { module: resolve(entryPoint), chunks: collect(output) },
  );
  const chunksOf = (module: string) => pages.find((each) => each.module === module)?.chunks ?? new Set<string>();
  const shared = [...chunksOf(page).difference(chunksOf(first))].filter(
    (chunk) => pages.filter(({ chunks }) => chunks.has(chunk)).length >= MIN_PAGES,
  );
  const modules = shared
    .flatMap((chunk) => Object.keys(outputs[chunk]?.inputs ?? {}))
    // Virtual modules follow those that import them.
    .filter((module) => !module.includes(':'));
  const importers = pages.filter(({ chunks }) => shared.some((chunk) => chunks.has(chunk))).map(({ module }) => module);
  return {
    name: NAME,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME }));
      build.onLoad({ filter: /.*/, namespace: NAME }, () => ({
        loader: 'js',
        contents: modules.map((module) => `import ${JSON.stringify(resolve(module))};`).join('\n'),
      }));
      build.onLoad({ filter: new RegExp(`^(${importers.map(RegExp.escape).join('|')})$`) }, async ({ path }) => ({
        loader: extname(path).slice(1) as Loader,
        contents: `import '${NAME}';\n${await Bun.file(path).text()}`,
      }));
    },
  };
}
