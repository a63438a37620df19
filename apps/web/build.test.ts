import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** All that is fetched before the first page stands there, compressed. */
const MAX_BYTES = 100_000;

let folder: string;
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'hub-web-')), 'dist');
  const build = Bun.spawn([process.execPath, join(import.meta.dir, 'build.ts'), folder], { stderr: 'pipe' });
  if ((await build.exited) !== 0) throw new Error(await new Response(build.stderr).text());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): Promise<string> => Bun.file(join(folder, name)).text();

/** The page, and what it loads by itself: scripts with all that they import before they run, style sheets. */
async function firstLoad(): Promise<Map<string, string>> {
  const page = await read('index.html');
  const loaded = new Map([['index.html', page]]);
  // An icon for the home screen is fetched by nobody who does not put it there.
  const waiting = [...page.matchAll(/(?:src|href)="\/app\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name ?? '');
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = await read(name);
    loaded.set(name, text);
    waiting.push(...staticImports(text));
  }
  return loaded;
}

function staticImports(script: string): string[] {
  return [...script.matchAll(/(?:from|import)\s*"(?:\.|\/app)\/([^"]+\.js)"/g)].map(([, name]) => name ?? '');
}

test('the first load is small', async () => {
  const loaded = await firstLoad();
  expect(loaded.size).toBeGreaterThan(2);
  const sizes = [...loaded].map(([name, text]) => [name, brotliCompressSync(text).length] as const);
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  expect(`${bytes <= MAX_BYTES ? 'small' : `${bytes} bytes: ${sizes.map((size) => size.join(' ')).join(', ')}`}`).toBe(
    'small',
  );
});

test('everything but the page has a hash in its name, and the page names what is there', async () => {
  const { page, files } = JSON.parse(await read('manifest.json')) as { page: string; files: string[] };
  expect(page).toBe('index.html');
  for (const file of files) expect(file).toMatch(/-[a-z0-9]{8}\.(?:js|css|svg|png)$/);
  const named = [...(await read(page)).matchAll(/(?:src|href)="\/app\/([^"]+)"/g)].map(([, name]) => name);
  for (const name of named) expect(files).toContain(name ?? '');
});

test('nothing in it parses markup, evaluates text or comes from another host', async () => {
  for (const [name, text] of await firstLoad()) {
    expect([name, /\beval\(|new Function\(|insertAdjacentHTML|document\.write\(/.test(text)]).toEqual([name, false]);
    expect([
      name,
      [...text.matchAll(/(?:src|href|from|import|url)\s*[=(]?\s*["'](?:https?:)?\/\/[^"']+/g)].map(String),
    ]).toEqual([name, []]);
  }
});
