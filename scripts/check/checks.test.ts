import { expect, test } from 'bun:test';
import { deadLinks } from './dead-links.ts';
import { dependencyProblems } from './dependencies.ts';
import { houseRuleProblems } from './house-rules.ts';
import { plainLanguageProblems } from './plain-language.ts';
import { threatModelProblems } from './threat-model.ts';

type Files = Readonly<Record<string, string>>;
const on = (check: (files: readonly string[], read: (path: string) => string) => string[]) => (files: Files) =>
  check(Object.keys(files), (path) => files[path] ?? '');
const CHECKS = {
  links: on((files, read) => deadLinks([...files, 'b.md'], (path) => (path === 'b.md' ? '# B *c*\n' : read(path)))),
  dependencies: on((files, read) =>
    dependencyProblems(['package.json', ...files], (path) => read(path) || (SOUND[path] ?? '')),
  ),
  rules: on(houseRuleProblems),
  language: on(plainLanguageProblems),
  threats: (files: Files) =>
    threatModelProblems('docs/security.md', { files: Object.keys(files), read: (path) => files[path] ?? '' }),
};
const SOUND: Files = {
  'package.json': '{"packageManager":"bun@1.4.5","devDependencies":{"bun-types":"1.4.5"}}',
  'docs/dependencies.md': '| `bun-types` |',
};
const WITH_X = { 'docs/dependencies.md': '| `bun-types`, `x` |' };
const HEAD = '# Security\n\n| actor | wants to | defence | shown by |\n|---|---|---|---|\n';
const threat = (row: string) => ({
  'docs/security.md': `${HEAD}${row}\n`,
  'keys/a.test.ts': "test('with a title: x')",
});

test.each<[check: keyof typeof CHECKS, files: Files, problem: string | null]>([
  ['links', { 'README.md': '[a](b.md#b-c) [b](#start) [c](https://x.org) `[d](no.md)`\n\n# Start' }, null],
  ['links', { 'README.md': '[a](missing.md)' }, 'README.md links to missing.md, which does not exist'],
  ['links', { 'README.md': '[a](b.md#no)' }, 'README.md links to b.md#no, which does not exist'],
  ['links', { 'README.md': 'see `keys/missing.ts`' }, 'README.md names keys/missing.ts, which does not exist'],
  ['links', { 'docs/testing.md': '| a | `list` (unit: `data/l*`) |', 'data/list.test.ts': '' }, null],
  ['links', { 'docs/testing.md': '| a | `rows` |', 'rows.ts': '' }, 'docs/testing.md names the test rows, which'],
  ['dependencies', { 'README.md': 'npx bun@1.4.5 run start' }, null],
  ['dependencies', { 'README.md': 'npx bun@1.3.0 run start' }, 'names bun@1.3.0, but package.json bun@1.4.5'],
  ['dependencies', { 'a/package.json': '{"dependencies":{"x":"^1.0.0"}}', ...WITH_X }, 'is not an exact version'],
  ['dependencies', { 'a/package.json': '{"dependencies":{"x":"1.0.0"}}' }, 'docs/dependencies.md: does not name x'],
  ['dependencies', { 'bun.lock': '"https://registry.invalid/x.tgz"' }, 'address'],
  ['rules', { 'a/b.ts': "const kind = 'todo';\n" }, null],
  ['rules', { 'a/b.ts': '// TODO: later' }, 'is unfinished'],
  ['rules', { 'a/b.ts': '// @ts-ignore' }, ''],
  ['rules', { 'a/b.test.ts': "test.only('x', () => {});" }, ''],
  ['rules', { 'a/b.ts': 'line\n'.repeat(301) }, '301'],
  ['rules', { 'packages/client/src/b.ts': "import { LIMITS } from '@hub/contract';" }, ''],
  ['rules', { 'a/b.ts': '/** The newest. */\n/** The oldest. */\nconst oldest = 1;\n' }, ''],
  ['language', { 'a/b.ts': '// If the server stops, it answers the requests that it has begun.' }, null],
  ['language', { 'a/b.ts': '// Users are told.' }, 'a/b.ts:1: "are told" → notify'],
  ['threats', threat('| a | b | c | `keys/a.test.ts`: *with a title* |'), null],
  ['threats', threat('| a | steal | c | careful people |'), 'no test or proof for "steal"'],
  ['threats', threat('| a | b | c | `keys/a.test.ts`: *something else* |'), 'does not contain "something else"'],
  ['threats', threat('| a | b | c | `bun run prove nothing` |'), 'the proof nothing does not exist'],
])('the check of %s reports in %p: %p', (check, files, problem) => {
  const found = CHECKS[check](files);
  expect(found).toHaveLength(problem === null ? 0 : 1);
  expect(found[0] ?? '').toContain(problem ?? '');
});
