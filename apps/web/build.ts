/**
 * `bun apps/web/build.ts [FOLDER]`: builds the files that the server sends to browsers, into dist/ or another folder.
 * Every file except the pages and the files of the installed app has a content hash in its name, so browsers may cache
 * it forever. `manifest.json` lists the files.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { BuildConfig, BuildMetafile } from 'bun';
import { componentsOf, licenseNotices } from '../../scripts/licenses.ts';
import { emojiPlugin } from './emoji-plugin.ts';
import { iconPlugin } from './icon-plugin.ts';
import { markedPlugin } from './marked-plugin.ts';
import { dependencies } from './package.json';
import { selectorPlugin } from './selector-plugin.ts';
import { sharedChunkPlugin } from './shared-chunk-plugin.ts';
import { appIcons, webManifest } from './web-manifest.ts';

const WEB = import.meta.dir;
const DIST = resolve(process.argv[2] ?? join(WEB, 'dist'));
/**
 * Holds the new build until it is complete and replaces the previous one, so that a running server never finds a
 * partial build.
 */
const NEXT = `${DIST}-${process.pid}`;

// Hashes are made of paths relative to the working directory, too: any other one would give other names and sizes.
process.chdir(WEB);

const MAIN = join(WEB, 'src/main.tsx');
/** Its code loads after the main script. */
const START_PAGE = join(WEB, 'src/pages/stream/stream-page.tsx');

/** The URL path of these files on the server. */
const ASSETS_PATH = '/app';

const icons = await appIcons(join(WEB, 'src/app-icons'));
for (const { name, file } of icons.values()) await Bun.write(join(NEXT, name), Bun.file(file));
const addressOf = (name: string) => `${ASSETS_PATH}/${name}`;
const iconAddress = (name: string) => addressOf(icons.get(name)?.name ?? '');

/** The build options shared by the page and its workers. */
const shared = {
  outdir: NEXT,
  target: 'browser',
  // Uses the sources of the client package, so that it need not be built.
  conditions: ['bun'],
  splitting: true,
  minify: true,
  metafile: true,
  naming: { entry: '[name]-[hash].[ext]', chunk: 'chunk-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  publicPath: `${ASSETS_PATH}/`,
  define: {
    'process.env.NODE_ENV': '"production"',
    HUB_NOTIFICATION_ICON: JSON.stringify(iconAddress('icon-192')),
    HUB_NOTIFICATION_BADGE: JSON.stringify(iconAddress('badge-96')),
  },
  plugins: [iconPlugin, emojiPlugin, markedPlugin, selectorPlugin],
} satisfies Partial<BuildConfig>;

const app = {
  ...shared,
  entrypoints: [MAIN],
  // The list of all chunks and their imports would be part of the first load. Most code is prefetched anyway.
  modulePreload: false,
} satisfies BuildConfig;
const { outdir: _, ...inMemory } = app;
const apartByPages = await Bun.build(inMemory);
const sharedChunk = sharedChunkPlugin(apartByPages.metafile as BuildMetafile, { first: MAIN, page: START_PAGE });
const { outputs, metafile } = await Bun.build({ ...app, plugins: [...app.plugins, sharedChunk] });
/** Built separately, since code shared by the page and the worker would otherwise be split into extra files. */
const apart = await Bun.build({ ...shared, entrypoints: [join(WEB, 'src/lib/posts/post-worker.ts')] });

/** Loaded before the first paint, so it must not wait for another file. */
const first = await Bun.build({
  ...shared,
  entrypoints: [join(WEB, 'src/first.ts')],
  splitting: false,
  format: 'iife',
});

/** Loaded with the first code that is not part of the page. */
const lateStyles = await Bun.build({ ...shared, entrypoints: [join(WEB, 'src/styles/pages/index.css')] });

const offline = await Bun.build({ ...shared, entrypoints: [join(WEB, 'src/service-worker/offline.ts')] });

/** The plug-ins take icons and emoji from packages without a trace in the bundle. */
const packages = Object.keys(dependencies).filter((name) => !name.startsWith('@hub/'));
const bundles = [metafile, apart.metafile].flatMap((bundle) => Object.keys(bundle?.inputs ?? {}));
const components = componentsOf([...packages.map((name) => `node_modules/${name}`), ...bundles]);
const notices = licenseNotices(components);
const licenses = `licenses-${Bun.hash(notices).toString(36).slice(0, 8)}.txt`;
await Bun.write(join(NEXT, licenses), notices);
await Bun.write(join(NEXT, 'components.json'), JSON.stringify(components));

const made = [...outputs, ...apart.outputs, ...first.outputs, ...lateStyles.outputs, ...offline.outputs].map(
  ({ path }) => relative(NEXT, path),
);
const names = [...new Set([licenses, ...made, ...[...icons.values()].map(({ name }) => name)])];
const named = (start: string, end: string): string => {
  const found = names.find((name) => name.startsWith(start) && name.endsWith(end));
  if (found === undefined) throw new Error(`The build made no ${start}…${end}: ${names.join(', ')}`);
  return found;
};
const script = named('main-', '.js');
const stylesheet = named('main-', '.css');
const worker = named('post-worker-', '.js');
const firstScript = named('first-', '.js');
const pageStyles = named('index-', '.css');
const stream = chunkOf(START_PAGE);

const fill = async (file: string, values: Record<string, string>) =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{{${name}}}`, value),
    await Bun.file(join(WEB, 'src', file)).text(),
  );
const page = await fill('index.html', {
  firstScript: addressOf(firstScript),
  stylesheet: addressOf(stylesheet),
  script: addressOf(script),
  postWorker: addressOf(worker),
  pageStyles: addressOf(pageStyles),
  streamFiles: `<link rel="preload" href="${addressOf(pageStyles)}" as="style">${preloads(stream)}`,
  icon: iconAddress('icon'),
  touchIcon: iconAddress('touch-180'),
  licenses: addressOf(licenses),
});
const offlineScript = named('offline-', '.js');
const offlinePage = await fill('service-worker/offline.html', {
  stylesheet: addressOf(stylesheet),
  script: addressOf(offlineScript),
});
await Bun.write(join(NEXT, 'index.html'), page);
await Bun.write(join(NEXT, 'offline.html'), offlinePage);
await Bun.write(join(NEXT, 'app.webmanifest'), JSON.stringify(webManifest(iconAddress)));

/**
 * The service worker's URL stays the same, so that browsers find a newer version, which deletes the files of other
 * builds.
 */
const workerBuild = await Bun.build({
  ...shared,
  entrypoints: [join(WEB, 'src/service-worker/service-worker.ts')],
  splitting: false,
  naming: { ...shared.naming, entry: '[name].[ext]' },
  define: {
    ...shared.define,
    HUB_BUILD: JSON.stringify(Bun.hash([...names, page, offlinePage].join('\n')).toString(36)),
    HUB_OFFLINE_FILES: JSON.stringify([stylesheet, offlineScript, ...chunksOf(offlineScript)].map(addressOf)),
  },
});
if (workerBuild.outputs.length !== 1) throw new Error('The service worker must be one file');

await Bun.write(
  join(NEXT, 'manifest.json'),
  JSON.stringify(
    {
      page: 'index.html',
      files: names,
      offlinePage: 'offline.html',
      serviceWorker: 'service-worker.js',
      webManifest: 'app.webmanifest',
    },
    null,
    2,
  ),
);

replaceFolder();

/** Replaces the last build. If several servers are started at once, each of them builds, and the last one stays. */
function replaceFolder(attempts = 5): void {
  rmSync(DIST, { recursive: true, force: true });
  try {
    renameSync(NEXT, DIST);
  } catch (error) {
    if (attempts === 1) throw error;
    replaceFolder(attempts - 1);
  }
}

/** Returns the output file of a module that is imported dynamically. */
function chunkOf(module: string): string {
  const found = Object.entries(metafile?.outputs ?? {}).find(
    ([, { entryPoint }]) => entryPoint !== undefined && resolve(entryPoint) === module,
  );
  if (!found) throw new Error(`No output starts with ${module}`);
  return basename(found[0]);
}

/** Returns the tags that load a script and its imports ahead. */
function preloads(name: string): string {
  return allChunksOf(name)
    .map((chunk) => `<link rel="modulepreload" href="${addressOf(chunk)}">`)
    .join('');
}

/** Returns a script and what it imports statically, except what the main script does. */
function allChunksOf(name: string, found = new Set([script, ...chunksOf(script)])): string[] {
  if (found.has(name)) return [];
  found.add(name);
  return [name, ...chunksOf(name).flatMap((chunk) => allChunksOf(chunk, found))];
}

/** Returns the static imports of a script. */
function chunksOf(name: string): string[] {
  const text = readFileSync(join(NEXT, name), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*"(?:\.|\/app)\/([^"]+\.js)"/g)].map(([, chunk]) => chunk ?? '');
}
