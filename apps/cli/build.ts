import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildVersion } from '../../scripts/build-version.ts';
import { BUN, componentsOf, describeProgram } from '../../scripts/licenses.ts';

/**
 * Compiles hubctl into one file that needs neither Bun nor this repository: `bun apps/cli/build.ts [--outfile FILE]
 * [--target bun-linux-arm64]`. With `--target node`, the file is a module for Node 20 and later, as in the package for
 * npm (`scripts/build-packages.ts`); with `--target bun`, one for Bun, as in the image (`ops/docker/Dockerfile`). Beside
 * it stand its license notices and its bill of materials.
 */
const { values } = parseArgs({
  options: { outfile: { type: 'string', default: 'dist/hubctl' }, target: { type: 'string' } },
});
const outfile = resolve(values.outfile);
const common = {
  entrypoints: [resolve(import.meta.dir, 'src/main.ts')],
  format: 'esm' as const,
  define: { HUB_VERSION: JSON.stringify(buildVersion(resolve(import.meta.dir, '../..'))) },
} satisfies Partial<Bun.BuildConfig>;

/** The symbols of the prompts in runtime/inquirer.ts. */
const SYMBOLS = { line: '─', tick: '✔', pointer: '❯', circle: '◯', circleFilled: '◉', circleDouble: '◎' };

/** The part that only `hubctl mcp` needs, next to the program and loaded on demand. */
const MCP_FILE = 'hubctl-mcp.mjs';

if (values.target === 'node') await buildForNode();
else {
  const isModule = values.target === 'bun';
  const { outputs, metafile } = await Bun.build({
    ...common,
    target: 'bun',
    metafile: true,
    minify: { whitespace: true, syntax: true },
    ...(!isModule && {
      // Bytecode halves the startup time; splitting loads only the code that a command needs.
      bytecode: true,
      splitting: true,
      compile: {
        outfile,
        ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
        // Files in the working directory must not decide where the key is sent, let alone run code.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    }),
  });
  if (isModule) await Bun.write(outfile, outputs[0] as Blob);
  await describeProgram(outfile, [BUN, ...componentsOf(Object.keys(metafile?.inputs ?? {}))]);
}
console.error(`Wrote ${outfile}`);

async function buildForNode(): Promise<void> {
  const [program, programFiles] = await bundleForNode(common.entrypoints, [{ name: 'parts', setup: leaveOutMcp }]);
  const [tools, toolFiles] = await bundleForNode([resolve(import.meta.dir, 'src/commands/mcp/tools.ts')]);
  await Bun.write(outfile, `#!/usr/bin/env node\n${program}`);
  await Bun.write(join(dirname(outfile), MCP_FILE), tools);
  await describeProgram(outfile, componentsOf([...programFiles, ...toolFiles]));
}

/** Returns the code of a bundle, and the files that it is made of. */
async function bundleForNode(
  entrypoints: string[],
  plugins: Bun.BunPlugin[] = [],
): Promise<[code: string, files: string[]]> {
  const { outputs, metafile } = await Bun.build({
    ...common,
    entrypoints,
    target: 'node',
    // The packages of this repository have their sources under this condition.
    conditions: ['bun'],
    minify: true,
    metafile: true,
    plugins: [...plugins, { name: 'node', setup: preferNodeFiles }, { name: 'unused parts', setup: leaveOutUnused }],
  });
  const [bundle] = outputs;
  if (bundle === undefined || metafile === undefined) throw new Error('The bundler returned no module');
  const code = await bundle.text();
  if (/\bBun\./.test(code)) throw new Error('The module for Node uses an API of Bun: move it to runtime/platform.ts.');
  return [code, Object.keys(metafile.inputs)];
}

function leaveOutMcp(build: Bun.PluginBuilder): void {
  build.onResolve({ filter: /^\.\/tools\.ts$/ }, ({ importer }) =>
    importer.endsWith('/mcp/command.ts') ? { path: `./${MCP_FILE}`, external: true } : undefined,
  );
}

/** Resolves `platform.ts` to `platform.node.ts`, and so on. */
function preferNodeFiles(build: Bun.PluginBuilder): void {
  build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, importer }) => {
    const file = resolve(dirname(importer), path.replace(/\.ts$/, '.node.ts'));
    return existsSync(file) ? { path: file } : undefined;
  });
}

/**
 * Leaves out what hubctl does not use of `ws`: its server, its adapter to streams, and compression, which the live
 * connection of Hub never uses; the suggestions of commander, instead of which hubctl has its own; and all symbols but
 * those that its prompts draw.
 */
function leaveOutUnused(build: Bun.PluginBuilder): void {
  build.onLoad({ filter: /\/ws\/lib\/(websocket-server|stream|subprotocol|permessage-deflate)\.js$/ }, () => ({
    loader: 'js',
    contents: 'module.exports = {};',
  }));
  build.onLoad({ filter: /\/@inquirer\/figures\/dist\/index\.js$/ }, () => ({
    loader: 'js',
    contents: `export default ${JSON.stringify(SYMBOLS)};`,
  }));
  build.onLoad({ filter: /\/commander\/lib\/suggestSimilar\.js$/ }, () => ({
    loader: 'js',
    contents: "export const suggestSimilar = () => '';",
  }));
}
