import { describe, expect, test } from 'bun:test';
import { plainLanguageFindings, plainLanguageProblems } from './plain-language.ts';
import { TERMS } from './plain-language-terms.ts';

const findings = (text: string, path = 'apps/a/b.ts') => plainLanguageFindings([path], () => text);

describe('plain language', () => {
  test.each(TERMS.flatMap(({ examples, use }) => examples.map((example) => [example, use] as const)))(
    'reports %j and suggests %j',
    (example, use) => {
      expect(findings(`\n${example}\n`)).toContainEqual(expect.objectContaining({ line: 2, use }));
    },
  );

  test.each([
    ['docs/b.md', 'Whoever has the key can post.'],
    ['apps/a/b.ts', "const label = 'Kept for ever';"],
    ['apps/a/b.ts', 'const text = `Is told twice.`;'],
  ])('finds one banned term in %s: %j', (path, text) => {
    expect(findings(text, path)).toHaveLength(1);
  });

  test.each([
    "const text = 'Answer the question later, in the right place. People said so again and again.';",
    '// Most people hold the last word. One of them notices it, and the words follow.',
    '// The connection is refused by default; the placeholder names the folder.',
    '// If the server stops, it answers the requests that it has begun. What if it does not?',
    '/** Returns what the server sends, or null. */',
  ])('accepts ordinary English: %s', (text) => {
    expect(findings(text)).toEqual([]);
  });

  test('names the file, the line and the better word', () => {
    expect(plainLanguageProblems(['apps/a/b.ts'], () => '\n// Mends it.\n')).toEqual(['apps/a/b.ts:2: "Mends" → fix']);
  });
});
