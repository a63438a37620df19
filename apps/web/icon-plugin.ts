import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { BunPlugin } from 'bun';

const LUCIDE = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons');
const DRAWING = join(import.meta.dir, 'src/ui/icons/drawing.ts');
const SHAPE = /<(path|circle|rect|line|polyline|polygon|ellipse)\s([^>]*?)\/>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
const IMPORT = /^import \{([^}]*)\} from 'icons';$/m;

/**
 * `import { Pencil } from 'icons'` is a component that draws this icon of lucide-static. Its shapes become vnodes in
 * the bundle, so nothing is fetched and no markup is parsed in the page. Each importer has its own copy: shared by code
 * that loads at different times, each icon would be a file to fetch.
 */
export const iconPlugin: BunPlugin = {
  name: 'icons',
  setup(build) {
    build.onResolve({ filter: /^icons$/ }, ({ importer }) => ({
      path: relative(import.meta.dir, importer),
      namespace: 'icons',
    }));
    build.onLoad({ filter: /.*/, namespace: 'icons' }, ({ path }) => {
      const [, list = ''] = IMPORT.exec(readFileSync(join(import.meta.dir, path), 'utf8')) ?? [];
      const names = [...list.matchAll(/(\w+)(?: as \w+)?/g)].map(([, name = '']) => name);
      const icons = names.map((name) => `export const ${name} = drawing(${JSON.stringify(shapesOf(name))});`);
      const contents = [`import { drawing } from '${DRAWING}';`, ...icons].join('\n');
      return { loader: 'js', resolveDir: import.meta.dir, contents };
    });
  },
};

/** Returns the shapes of an icon, each as an element name and its attributes. */
function shapesOf(name: string): [string, Record<string, string>][] {
  const file = `${name.replace(/[a-z](?=[A-Z\d])/g, '$&-').toLowerCase()}.svg`;
  const svg = readFileSync(join(LUCIDE, file), 'utf8');
  const shapes = [...svg.matchAll(SHAPE)].map(([, element = '', attributes = '']): [string, Record<string, string>] => [
    element,
    Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value])),
  ]);
  if (shapes.length === 0) throw new Error(`lucide-static has no shapes for ${name}`);
  return shapes;
}
