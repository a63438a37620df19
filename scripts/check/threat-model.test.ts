import { expect, test } from 'bun:test';
import { threatModelProblems } from './threat-model.ts';

const HEAD = '# Security\n\n| actor | wants to | defence | shown by |\n|---|---|---|---|\n';

function problems(row: string, page = HEAD + row): string[] {
  const files: Record<string, string> = {
    'docs/security.md': page,
    'package.json': '{"scripts": {"prove:secrets": "x"}}',
    'apps/web/browser/b.browser.ts': "test('in Chromium', () => {});",
    'apps/api/src/keys/a.test.ts': "test('with many requests in flight: none', () => {});",
  };
  return threatModelProblems('docs/security.md', { files: Object.keys(files), read: (path) => files[path] ?? '' });
}

test('a threat is shown by a test, by what it says, or by a proof', () => {
  expect(problems('| a | b | c | `keys/a.test.ts` |\n')).toEqual([]);
  expect(problems('| a | b | c | `b.browser.ts`: *in Chromium* |\n')).toEqual([]);
  expect(
    problems('| a | b | c | `a.test.ts`: *with many requests in flight*; `bun run prove:secrets` |\n\ntext'),
  ).toEqual([]);
});

test.each([
  ['| a | steal | c | careful people |', 'nothing shows the defence against "steal"'],
  ['| a | b | c | `keys/b.test.ts` |', 'there is no keys/b.test.ts'],
  ['| a | b | c | `keys/a.test.ts`: *something else* |', 'keys/a.test.ts does not say "something else"'],
  ['| a | b | c | `bun run prove:nothing` |', 'there is no prove:nothing'],
])('%s is found', (row, problem) => {
  expect(problems(row)).toEqual([`docs/security.md: ${problem}`]);
});

test('a page without threats is found', () => {
  expect(problems('', '# Security\n')).toEqual(['docs/security.md: there are no threats']);
});
