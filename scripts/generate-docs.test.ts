import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE = join(import.meta.dir, '../docs/configuration.md');

async function generate(...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'generate-docs.ts'), ...args], { stderr: 'pipe' });
  const stderr = await new Response(child.stderr).text();
  return { exitCode: await child.exited, stderr };
}

test('docs/configuration.md says what the table of settings says', async () => {
  expect(await generate('--check')).toEqual({ exitCode: 0, stderr: '' });
});

test('--check fails, and says what to do, if the page is another or missing, and writes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-docs-'));
  const out = join(folder, 'page.md');
  const missing = await generate('--check', '--out', out);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toContain('page.md is out of date. Run: bun scripts/generate-docs.ts');
  writeFileSync(out, `${readFileSync(PAGE, 'utf8')}\nmore`);
  expect((await generate('--check', '--out', out)).exitCode).toBe(1);
  expect(readFileSync(out, 'utf8')).toEndWith('more');
  rmSync(folder, { recursive: true });
});

test('the page names every setting with its default', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toContain('| [`HUB_PORT`](#hub_port) | `3000` |');
  expect(page).toContain('HUB_METRICS_TOKEN_FILE');
  expect(page.match(/^## HUB_[A-Z_]+$/gm)).toHaveLength(10);
});
