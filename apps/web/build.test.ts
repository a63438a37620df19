import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** The limits for the compressed size of what the first page of a Hub loads, besides the API: everything, and scripts. */
const MAX_BYTES = 100_000;
const MAX_SCRIPT_BYTES = 75_000;

let folder: string;
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'hub-web-')), 'dist');
  const build = Bun.spawn([process.execPath, join(import.meta.dir, 'build.ts'), folder], { stderr: 'pipe' });
  if ((await build.exited) !== 0) throw new Error(await new Response(build.stderr).text());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): Promise<string> => Bun.file(join(folder, name)).text();

/** The part of the page that is loaded only for the Stream. */
const STREAM_FILES = /<template>.*<\/template>/;

/** Returns the page and everything it names: style sheets, and scripts and preloads with their static imports. */
async function firstLoad(): Promise<Map<string, string>> {
  const page = (await read('index.html')).replace(STREAM_FILES, '');
  const loaded = new Map([['index.html', page]]);
  // The home-screen icon is fetched only when the app is installed.
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

test('the first load stays within its size limits', async () => {
  const sizes = [...(await firstLoad())].map(([name, text]) => ({ name, bytes: brotliCompressSync(text).length }));
  const scripts = sizes.filter(({ name }) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(1);
  for (const [files, limit] of [
    [sizes, MAX_BYTES],
    [scripts, MAX_SCRIPT_BYTES],
  ] as const) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect({ files, bytes, isSmall: bytes <= limit }).toMatchObject({ isSmall: true });
  }
});

test('the code of the Stream, where the app starts, comes in a few files', async () => {
  const [files = ''] = STREAM_FILES.exec(await read('index.html')) ?? [];
  const scripts = [...files.matchAll(/href="[^"]+\.js"/g)];
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.length).toBeLessThan(5);
});

test('every file except the page has a hash in its name, and the page references only files that exist', async () => {
  const { page, files } = JSON.parse(await read('manifest.json')) as { page: string; files: string[] };
  expect(page).toBe('index.html');
  for (const file of files) expect(file).toMatch(/-[a-z0-9]{8}\.(?:js|css|svg|png|txt)$/);
  const named = [...(await read(page)).matchAll(/(?:src|href)="\/app\/([^"]+)"/g)].map(([, name]) => name);
  for (const name of named) expect(files).toContain(name ?? '');
});

test('the bundle parses no markup, evaluates no strings and loads nothing from other hosts', async () => {
  for (const [name, text] of await firstLoad()) {
    expect([name, /\beval\(|new Function\(|insertAdjacentHTML|document\.write\(/.test(text)]).toEqual([name, false]);
    expect([
      name,
      [...text.matchAll(/(?:src|href|from|import|url)\s*[=(]?\s*["'](?:https?:)?\/\/[^"']+/g)].map(String),
    ]).toEqual([name, []]);
  }
});

test('the parser of Markdown comes without what turns it into HTML', async () => {
  const texts = [...(await firstLoad()).values()].join('\n');
  expect(texts).toContain('blockquote');
  expect(texts).not.toContain('<blockquote>');
  // The rules of the dialect "pedantic" contain this.
  expect(texts).not.toContain('|dfn|abbr|');
});
