import { expect, test } from 'bun:test';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from '@hub/testkit/run-program';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { settings } from '../apps/api/src/platform/settings.ts';
import { scripts } from '../package.json';

const PAGE = join(import.meta.dir, '../docs/configuration.md');
const MADE = ['docs/configuration.md', 'docs/hubctl.md', 'ops/ci/gitlab.yml'];

test('--check exits with 1 and names the command when a file differs or is missing, and writes nothing', async () => {
  using folder = temporaryFolder();
  const root = folder.path;
  const [missing = '', changed = '', ...unchanged] = MADE;
  for (const path of [changed, ...unchanged]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(import.meta.dir, '..', path), join(root, path));
  }
  appendFileSync(join(root, changed), 'more');
  const problems = [missing, changed].map((path) => `${path} is out of date. Run: bun scripts/generate-docs.ts\n`);
  const argv = [process.execPath, join(import.meta.dir, 'generate-docs.ts'), '--check', '--root', root];
  expect(await runProgram(argv)).toMatchObject({ code: 1, stderr: problems.join('') });
  expect(existsSync(join(root, missing))).toBe(false);
  expect(readFileSync(join(root, changed), 'utf8')).toEndWith('more');
});

test('the pages list every setting with its default, and every command with its arguments and options', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toContain('| <a id="hub_port"></a>`HUB_PORT` | `3000` |');
  expect(page).toContain('HUB_METRICS_TOKEN_FILE');
  expect(page.match(/^\| <a id="hub_\w+"><\/a>`HUB_[A-Z_]+` \|/gm)).toHaveLength(Object.keys(settings).length);
  const commands = readFileSync(join(import.meta.dir, '../docs/hubctl.md'), 'utf8');
  for (const text of ['| `hubctl hubs members add [hub] [user]` |', '`--scopes <list>`: Set what the key can create'])
    expect(commands).toContain(text);
});

test('every `bun run` in the documentation names a script of package.json or a file', () => {
  const root = join(import.meta.dir, '..');
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const paths = ['README.md', 'CONTRIBUTING.md', 'packages/client/README.md', ...pages.map((name) => `docs/${name}`)];
  const unknown = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const names = [...text.matchAll(/\bbun(?:@[\d.]+)? run ([\w:-]*\w)(?![\w:-])/g)].map(([, name = '']) => name);
    const files = [...text.matchAll(/\bbun ((?:apps|packages|scripts)\/[\w./-]+\.ts)\b/g)].map(([, file = '']) => file);
    const wrong = names.filter((name) => !Object.hasOwn(scripts, name));
    return [...wrong, ...files.filter((file) => !existsSync(join(root, file)))].map((name) => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
  expect(Object.keys(scripts)).toContain('hubctl');
});
