import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../apps/api/src/platform/settings.ts';
import { scripts } from '../package.json';

const PAGE = join(import.meta.dir, '../docs/configuration.md');

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
