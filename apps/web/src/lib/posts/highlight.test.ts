import { expect, test } from 'bun:test';
import { highlighter } from './highlight.ts';
import { languageOf } from './languages.ts';

test('highlights code by token and loses no text', async () => {
  const code = '# If it must go back\n./deploy "4.17.3" && echo 42 < x\n';
  const { language, runs } = (await highlighter('bash'))(code);
  expect(language).toBe('Shell');
  expect(runs.map(([, text]) => text).join('')).toBe(code);
  expect(runs).toContainEqual(['c', '# If it must go back']);
  expect(runs).toContainEqual(['s', '"4.17.3"']);
});

test.each(['bash', 'typescript', 'html', 'py', 'yml', 'diff', 'dockerfile', 'console'])(
  '%s is a known language',
  async (name) => {
    const code = 'class A { b = "c" } <a b="c">\n- def: 1 # x\n$ ls';
    const { runs } = (await highlighter(name))(code);
    expect(runs.map(([, text]) => text).join('')).toBe(code);
    expect(languageOf(name)).not.toBeNull();
  },
);

test.each([null, '', 'klingon', '__proto__', 'constructor', 'toString'])('%j is not a known language', async (name) => {
  expect(languageOf(name)).toBeNull();
  expect((await highlighter(name ?? ''))('a < b')).toEqual({ language: null, runs: [[null, 'a < b']] });
});
