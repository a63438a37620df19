import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import packageJson from './package.json' with { type: 'json' };

const here = import.meta.dir;

/** The entry points of the package, each with its name in the published folder and its source file. */
const ENTRIES = {
  index: 'src/index.ts',
  blocks: 'src/blocks/index.ts',
  live: 'src/live/index.ts',
  workspace: 'src/workspace/public.ts',
} as const;

/**
 * Creates the folder to publish. It contains package.json, README.md and LICENSE, and for each entry point a
 * self-contained module for `import`, one for `require`, and their declarations. The modules use only web standards. The
 * published manifest differs from the one in the monorepo, where all packages point to `src`.
 */
export async function buildClient(outDir: string, version = packageJson.version): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  await bundle(outDir, 'esm', 'js');
  await bundle(outDir, 'cjs', 'cjs');
  await writeDeclarations(outDir);
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(publishedManifest(version), null, 2)}\n`);
  await copyFile(join(here, 'README.md'), join(outDir, 'README.md'));
  const license = join(here, '../../LICENSE');
  if (existsSync(license)) await copyFile(license, join(outDir, 'LICENSE'));
}

/** Writes the modules of all entry points. */
export async function bundle(outDir: string, format: 'esm' | 'cjs', extension: string): Promise<void> {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const result = await Bun.build({
      entrypoints: [join(here, entry)],
      outdir: outDir,
      naming: { entry: `${name}.${extension}`, chunk: `${name}-[hash].${extension}` },
      target: format === 'esm' ? 'node' : 'browser',
      format,
      env: 'disable',
      // Explanations of failures are loaded on demand. A module of CommonJS contains them.
      splitting: format === 'esm',
    });
    for (const message of result.logs) console.warn(message);
    // For splitting, Bun renames what two files export to `HubError2`, and Node prints errors with this name.
    for (const { path } of result.outputs) {
      const code = await readFile(path, 'utf8');
      await writeFile(path, code.replace(/\b(Hub\w*Error)2\b/g, '$1'));
    }
  }
}

/** Writes the declarations of all files behind an entry point into one file. */
async function writeDeclarations(outDir: string): Promise<void> {
  // Inside the repository, so that the compiler finds the types of the runtime.
  await mkdir(join(here, 'node_modules'), { recursive: true });
  const emitted = await mkdtemp(join(here, 'node_modules', '.declarations-'));
  try {
    await emitDeclarations(emitted);
    for (const [name, entry] of Object.entries(ENTRIES)) {
      const text = await rollUp(join(emitted, 'client', entry.replace(/\.ts$/, '.d.ts')));
      for (const extension of ['d.ts', 'd.cts']) await writeFile(join(outDir, `${name}.${extension}`), text);
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

async function emitDeclarations(outDir: string): Promise<void> {
  const config = join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: join(here, '..'),
    outDir,
  };
  const files = Object.values(ENTRIES).map((entry) => join(here, entry));
  const extended = join(here, '../../tsconfig.json');
  await writeFile(config, JSON.stringify({ extends: extended, compilerOptions, files, include: [] }));
  const tsc = Bun.spawn([process.execPath, join(here, '../../node_modules/typescript/bin/tsc'), '--project', config], {
    cwd: here,
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if ((await tsc.exited) !== 0)
    throw new Error('The declarations could not be created. See the messages of tsc above.');
}

/**
 * Concatenates the files, without the imports and exports between them. This works while no two files declare the same
 * name and no import is renamed. The tests verify it by type-checking a program against the result.
 */
async function rollUp(entry: string): Promise<string> {
  const relativeImport = /^(?:import|export) (?:type )?\{[^}]*\} from '(\.[^']+)\.ts';\n/gm;
  const files = new Map<string, string>();
  const visit = async (file: string): Promise<void> => {
    if (files.has(file)) return;
    files.set(file, '');
    const text = await readFile(file, 'utf8');
    for (const [, target] of text.matchAll(relativeImport)) await visit(join(dirname(file), `${target}.d.ts`));
    files.delete(file);
    files.set(file, text.replace(relativeImport, '').replace(/^export (?!\{)/gm, ''));
  };
  await visit(entry);
  const exported = [...(await readFile(entry, 'utf8')).matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const names = exported.flatMap(([, list]) =>
    (list ?? '').split(',').map((name) => name.trim().replace(/^type /, '')),
  );
  const body = [...files.values()].join('\n').replace(/^(class|const|function) /gm, 'declare $1 ');
  const code = body.replace(/\/\*[\s\S]*?\*\//g, '');
  if (/\bimport\b|\bfrom '/.test(code)) throw new Error(`A declaration imports from outside the package:\n${code}`);
  return `${body}\nexport { ${names.filter(Boolean).sort().join(', ')} };\n`;
}

function publishedManifest(version: string): object {
  const { name, type, license, sideEffects } = packageJson;
  const entries = Object.keys(ENTRIES).map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    {
      import: { types: `./${entry}.d.ts`, default: `./${entry}.js` },
      require: { types: `./${entry}.d.cts`, default: `./${entry}.cjs` },
    },
  ]);
  return {
    name,
    version,
    description: 'Post messages, notes and to-dos into a Hub, and follow Hubs live',
    type,
    license,
    sideEffects,
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
    exports: Object.fromEntries(entries),
    main: './index.cjs',
    module: './index.js',
    types: './index.d.ts',
    files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts'],
  };
}

/**
 * Returns the public API of a built package without comments, for `api.md`. A changed line there shows in a review what
 * changes for programs.
 */
export async function apiReport(builtDir: string): Promise<string> {
  const parts = Object.keys(ENTRIES).map(async (name) => {
    const text = await readFile(join(builtDir, `${name}.d.ts`), 'utf8');
    const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\n/gm, '');
    return `\n## ${name === 'index' ? '@hub/client' : `@hub/client/${name}`}\n\n\`\`\`ts\n${code}\`\`\`\n`;
  });
  const command = 'bun packages/client/build.ts --api-report';
  return `# The API of @hub/client\n\nGenerated with \`${command}\`.\n${(await Promise.all(parts)).join('')}`;
}

if (import.meta.main) {
  const dist = join(here, 'dist');
  await buildClient(dist);
  if (process.argv.includes('--api-report')) await writeFile(join(here, 'api.md'), await apiReport(dist));
}
