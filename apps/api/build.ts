import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildVersion } from '../../scripts/build-version.ts';
import { BUN, type Component, component, componentsOf, describeProgram } from '../../scripts/licenses.ts';

/**
 * Compiles the server into one file that needs neither Bun nor this repository: `bun apps/api/build.ts [--outfile FILE]
 * [--target bun-linux-arm64]`. It contains the web app, which `bun apps/web/build.ts` must have built, the migrations,
 * and everything else that `programFile` finds. Beside it stand its license notices and its bill of materials.
 */
const { values } = parseArgs({
  options: { outfile: { type: 'string', default: 'dist/hub' }, target: { type: 'string' } },
});
const outfile = resolve(values.outfile);
const here = (path: string) => resolve(import.meta.dir, path);

const { metafile } = await Bun.build({
  metafile: true,
  entrypoints: [
    here('src/main.ts'),
    here('src/storage/search/search-worker.ts'),
    here('src/storage/search/query-worker.ts'),
    here('src/storage/sqlite/engine/backup-worker.ts'),
    here('src/storage/sqlite/hash-worker.ts'),
  ],
  // The threads stand beside the bundled code, where their URLs point to.
  naming: { entry: '[name].[ext]' },
  target: 'bun',
  format: 'esm',
  bytecode: true,
  // Elysia breaks when identifiers are minified.
  minify: { whitespace: true, syntax: true },
  define: { HUB_VERSION: JSON.stringify(buildVersion(resolve(import.meta.dir, '../..'))) },
  compile: {
    outfile,
    assets: [
      here('../web/dist'),
      here('src/storage/sqlite/migrations'),
      here('src/storage/postgres/postgres-migrations'),
      here('src/workspace/users/common-passwords.bin'),
      here('src/workspace/users/confusables.txt'),
    ],
    ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
    // Files in the working directory must not configure the server.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
const ofPasswords = component(
  '@zxcvbn-ts/language-common',
  '4.1.3',
  'MIT',
  'Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., 2021 @zxcvbn-ts. Another package here has the text of this license.',
);
const ofWebApp: Component[] = await Bun.file(here('../web/dist/components.json')).json();
await describeProgram(outfile, [BUN, ofPasswords, ...ofWebApp, ...componentsOf(Object.keys(metafile?.inputs ?? {}))]);
console.error(`Wrote ${outfile}`);
