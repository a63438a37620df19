import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { BunPlugin } from 'bun';

const LUCIDE = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons');
const DRAWING = join(import.meta.dir, 'src/ui/icons/drawing.ts');
const SHAPE = /<(path|circle|rect|line|polyline|polygon|ellipse)\s([^>]*?)\/>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/**
 * `import Pencil from 'icon:pencil'` is a component that draws this icon of lucide-static. Its shapes become vnodes in
 * the bundle, so nothing is fetched and no markup is parsed in the page. Each importer has its own copy: shared by code
 * that loads at different times, each icon would be a file to fetch.
 */
export const iconPlugin: BunPlugin = {
  name: 'icons',
  setup(build) {
    build.onResolve({ filter: /^icon:/ }, ({ path, importer }) => ({
      path: `${path.slice('icon:'.length)}?${relative(import.meta.dir, importer)}`,
      namespace: 'icon',
    }));
    build.onLoad({ filter: /.*/, namespace: 'icon' }, ({ path }) => ({
      loader: 'js',
      resolveDir: import.meta.dir,
      contents: `import { drawing } from '${DRAWING}';\nexport default drawing(${JSON.stringify(shapesOf(path.replace(/\?.*/, '')))});`,
    }));
  },
};

/** Returns the shapes of an icon, each as an element name and its attributes. */
function shapesOf(name: string): [string, Record<string, string>][] {
  const svg = readFileSync(join(LUCIDE, `${name}.svg`), 'utf8');
  const shapes = [...svg.matchAll(SHAPE)].map(([, element = '', attributes = '']): [string, Record<string, string>] => [
    element,
    Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value])),
  ]);
  if (shapes.length === 0) throw new Error(`lucide-static has no shapes for ${name}`);
  return shapes;
}
