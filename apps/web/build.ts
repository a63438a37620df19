/**
 * `bun apps/web/build.ts [FOLDER]`: makes the files that the server serves to browsers, in dist/ or another folder. Every
 * file but the page itself has a hash of its content in its name, so that it may be kept for ever; `manifest.json` says
 * what there is.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BuildConfig } from 'bun';
import { emojiPlugin } from './emoji-plugin.ts';
import { iconPlugin } from './icon-plugin.ts';

const WEB = import.meta.dir;
const DIST = resolve(process.argv[2] ?? join(WEB, 'dist'));
/** Beside the last build until it is whole: a server that reads meanwhile finds the one or the other. */
const NEXT = `${DIST}-${process.pid}`;

/** Where the server has these files. */
const ASSETS_PATH = '/app';

/** What the page and its worker have in common. */
const shared = {
  outdir: NEXT,
  target: 'browser',
  // The sources of the client package: its build need not be there.
  conditions: ['bun'],
  splitting: true,
  minify: true,
  naming: { entry: '[name]-[hash].[ext]', chunk: 'chunk-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  publicPath: `${ASSETS_PATH}/`,
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [iconPlugin, emojiPlugin],
} satisfies Partial<BuildConfig>;

const { outputs } = await Bun.build({ ...shared, entrypoints: [join(WEB, 'src/main.tsx')] });
/** Built by itself, so that the page need not load in pieces what the worker uses too. */
const apart = await Bun.build({ ...shared, entrypoints: [join(WEB, 'src/posts/post-worker.ts')] });

/** Loaded before the page is painted, so that it must wait for no other file. */
const first = await Bun.build({
  ...shared,
  entrypoints: [join(WEB, 'src/theme/theme-first.ts')],
  splitting: false,
  format: 'iife',
});

const names = [...new Set([...outputs, ...apart.outputs, ...first.outputs].map(({ path }) => relative(NEXT, path)))];
const named = (start: string, end: string): string => {
  const found = names.find((name) => name.startsWith(start) && name.endsWith(end));
  if (found === undefined) throw new Error(`The build made no ${start}…${end}: ${names.join(', ')}`);
  return found;
};
const script = named('main-', '.js');
const stylesheet = named('main-', '.css');
const worker = named('post-worker-', '.js');
const themeScript = named('theme-first-', '.js');

const page = (await Bun.file(join(WEB, 'src/index.html')).text())
  .replace('{{themeScript}}', `${ASSETS_PATH}/${themeScript}`)
  .replace('{{stylesheet}}', `${ASSETS_PATH}/${stylesheet}`)
  .replace('{{script}}', `${ASSETS_PATH}/${script}`)
  .replace('{{postWorker}}', `${ASSETS_PATH}/${worker}`);
await Bun.write(join(NEXT, 'index.html'), page);
await Bun.write(join(NEXT, 'manifest.json'), JSON.stringify({ page: 'index.html', files: names }, null, 2));

mkdirSync(DIST, { recursive: true });
rmSync(DIST, { recursive: true });
renameSync(NEXT, DIST);
