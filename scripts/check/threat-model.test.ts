import { expect, test } from 'bun:test';
import { threatModelProblems } from './threat-model.ts';

const HEAD = '# Security\n\n| actor | wants to | defence | shown by |\n|---|---|---|---|\n';

function problems(row: string, page = HEAD + row): string[] {
  const files: Record<string, string> = {
    'docs/security.md': page,
    'scripts/prove/secrets.ts': '',
    'apps/web/browser/b.browser.ts': "test('in Chromium', () => {});",
    'apps/api/src/workspace/keys/a.test.ts': "test('with many requests in flight: none', () => {});",
  };
  return threatModelProblems('docs/security.md', { files: Object.keys(files), read: (path) => files[path] ?? '' });
}

test('accepts a test, a test title or a proof as evidence', () => {
  expect(problems('| a | b | c | `keys/a.test.ts` |\n')).toEqual([]);
  expect(problems('| a | b | c | `b.browser.ts`: *in Chromium* |\n')).toEqual([]);
  expect(
    problems('| a | b | c | `a.test.ts`: *with many requests in flight*; `bun run prove secrets` |\n\ntext'),
  ).toEqual([]);
});

test.each([
  ['| a | steal | c | careful people |', 'no test or proof for "steal"'],
  ['| a | b | c | `keys/b.test.ts` |', 'keys/b.test.ts does not exist'],
  ['| a | b | c | `keys/a.test.ts`: *something else* |', 'keys/a.test.ts does not contain "something else"'],
  ['| a | b | c | `bun run prove nothing` |', 'the proof nothing does not exist'],
])('reports %s', (row, problem) => {
  expect(problems(row)).toEqual([`docs/security.md: ${problem}`]);
});

test('reports a page without a threat table', () => {
  expect(problems('', '# Security\n')).toEqual(['docs/security.md: the table of threats is empty']);
});
