import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Compiles hubctl into one file that needs neither Bun nor this repository: `bun apps/cli/build.ts [--outfile FILE]
 * [--target bun-linux-arm64]`. The version is included, since main.ts imports package.json.
 */
const { values } = parseArgs({
  options: { outfile: { type: 'string', default: 'dist/hubctl' }, target: { type: 'string' } },
});
const outfile = resolve(values.outfile);

await Bun.build({
  entrypoints: [resolve(import.meta.dir, 'src/main.ts')],
  target: 'bun',
  format: 'esm',
  // Bytecode halves the startup time; splitting loads only the code that a command needs.
  bytecode: true,
  splitting: true,
  minify: { whitespace: true, syntax: true },
  compile: {
    outfile,
    ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
    // Files in the working directory must not decide where the key is sent, let alone run code.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
console.error(`Wrote ${outfile}`);
