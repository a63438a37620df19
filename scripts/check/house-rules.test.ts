import { describe, expect, test } from 'bun:test';
import { houseRuleProblems } from './house-rules.ts';

const problems = (path: string, text: string): string[] => houseRuleProblems([path], () => text);

describe('house rules', () => {
  test.each([
    ['a/b.ts', '// TODO: later'],
    ['a/b.ts', '// @ts-ignore'],
    ['a/b.ts', '// biome-ignore lint/x: because'],
    ['a/b.test.ts', "test.only('x', () => {});"],
    ['a/b.test.ts', "describe.skip('x', () => {});"],
    ['packages/client/src/b.ts', "import { LIMITS } from '@hub/contract';"],
    ['apps/web/src/b.tsx', "<p>You can't</p>\n"],
    ['a/b.ts', 'line\n'.repeat(301)],
    ['a/b.test.ts', 'line\n'.repeat(461)],
    ['a/b.ts', '/** The newest. */\n/** The oldest. */\nconst oldest = 1;\n'],
    ['a/b.tsx', 'rows.map((row) => (\n  <>\n    <Row key={row.id} />\n  </>\n));\n'],
  ])('reports one problem in %s containing %j', (path, text) => {
    expect(problems(path, text)).toHaveLength(1);
  });

  test.each([
    ['a/b.ts', "const kind = 'todo';\n"],
    ['a/b.ts', 'line\n'.repeat(300)],
    ['a/b.browser.ts', 'line\n'.repeat(460)],
    ['a/b.ts', '/** The file. */\n\n/** The oldest. */\nconst oldest = 1;\n'],
    ['a/b.tsx', 'rows.map((row) => (\n  <Fragment key={row.id}>\n    <Row />\n  </Fragment>\n));\n'],
    ['apps/web/src/b.tsx', "/** The user's. */\n<p title={'a'}>You can’t</p>\n"],
    ['a/b.md', '- [ ] TODO\n'],
    ['a/b.test.ts', "test.skipIf(isRoot)('x', () => {});\n"],
    ['packages/client/src/b.ts', "import type { Priority } from '@hub/contract';\n"],
    ['packages/client/src/b.ts', "import { LIMITS } from '@hub/contract/limits';\n"],
    ['packages/client/src/b.test.ts', "import { LIMITS } from '@hub/contract';\n"],
  ])('accepts %s containing %j', (path, text) => {
    expect(problems(path, text)).toEqual([]);
  });
});
