import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Compiles hubctl into one file that needs neither Bun nor this repository: `bun apps/cli/build.ts [--outfile FILE]
 * [--target bun-linux-arm64]`. The version comes along, for main.ts imports package.json.
 */
const { values } = parseArgs({
  options: { outfile: { type: 'string', default: 'dist/hubctl' }, target: { type: 'string' } },
});
const outfile = resolve(values.outfile);

await Bun.build({
  entrypoints: [resolve(import.meta.dir, 'src/main.ts')],
  target: 'bun',
  format: 'esm',
  // Bytecode halves the time to start; with splitting, what a command does not need is not loaded.
  bytecode: true,
  splitting: true,
  minify: { whitespace: true, syntax: true },
  compile: {
    outfile,
    ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
    // A folder that someone else filled must not choose the server that the key goes to, let alone run code.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
console.error(`hubctl is in ${outfile}`);
