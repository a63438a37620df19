import { extname, resolve } from 'node:path';
import type { BuildMetafile, BunPlugin, Loader } from 'bun';

const NAMESPACE = 'shared-chunk';
/** A module that fewer pages share stays apart, since all others would load it for nothing. */
const MIN_PAGES = 3;

/** Modules, as files. */
interface Entries {
  /** The script that loads first. */
  first: string;
  /** Loaded at the same time; `first` imports it dynamically. */
  beside: string;
  page: string;
}

/**
 * Puts the modules of `beside`, and those that `page` shares with other pages, into one chunk each, as an earlier build
 * without this plugin has them. There, each combination of pages that share a module has a chunk of its own, and a page
 * fetches more than a dozen of a few hundred bytes. Modules come into one chunk if the same pages need them, so each page
 * that needs one of them imports all.
 */
export function sharedChunkPlugin({ outputs }: BuildMetafile, { first, beside, page }: Entries): BunPlugin {
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
  const countOf = (chunk: string) => pages.filter(({ chunks }) => chunks.has(chunk)).length;
  const chunksBeside = chunksOf(beside).difference(chunksOf(first));
  const chunksShared = chunksOf(page).difference(chunksOf(first)).difference(chunksBeside);
  const groups = [chunksBeside, new Set([...chunksShared].filter((chunk) => countOf(chunk) >= MIN_PAGES))];
  const importsOf = new Map<string, string>();
  for (const [n, group] of groups.entries())
    for (const { module, chunks } of pages)
      if (!chunks.isDisjointFrom(group))
        importsOf.set(module, `${importsOf.get(module) ?? ''}import '${NAMESPACE}-${n}';\n`);
  return {
    name: NAMESPACE,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${NAMESPACE}-`) }, ({ path }) => ({ path, namespace: NAMESPACE }));
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
        loader: 'js',
        contents: [...(groups[Number(path.slice(NAMESPACE.length + 1))] ?? [])]
          .flatMap((chunk) => Object.keys(outputs[chunk]?.inputs ?? {}))
          // Virtual modules follow those that import them.
          .filter((module) => !module.includes(':'))
          .map((module) => `import ${JSON.stringify(resolve(module))};`)
          .join('\n'),
      }));
      build.onLoad(
        { filter: new RegExp(`^(${[...importsOf.keys()].map(RegExp.escape).join('|')})$`) },
        async ({ path }) => ({
          loader: extname(path).slice(1) as Loader,
          contents: `${importsOf.get(path)}${await Bun.file(path).text()}`,
        }),
      );
    },
  };
}
