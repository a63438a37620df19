import { describe, expect, test } from 'bun:test';
import { fitText } from './long-text.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const sizeOf = (text: string) => [...text].length;
const withoutNumber = (part: string) => part.replace(/^\(\d+\/\d+\)\n\n/, '');

describe('text that fits', () => {
  test('stays as it is', () => {
    expect(fitText('x', 100, { split: true })).toEqual(['x']);
    expect(fitText('x'.repeat(100), 100, { truncate: 'head' })).toEqual(['x'.repeat(100)]);
    expect(fitText('x'.repeat(101), 100, {})).toEqual(['x'.repeat(101)]);
  });

  test('becomes a code block whose fence is longer than any in the text', () => {
    expect(fitText('a', 100, { code: 'sh' })).toEqual(['```sh\na\n```']);
    expect(fitText('``` and ````', 100, { code: 'c++' })).toEqual(['`````c++\n``` and ````\n`````']);
  });
});

describe('--split', () => {
  test('splits at line ends, numbers the parts and keeps every line', () => {
    const text = lines(100);
    const parts = fitText(text, 300, { split: true });
    expect(parts[0]).toStartWith(`(1/${parts.length})\n\nline 0\n`);
    for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(300);
    expect(parts.map(withoutNumber).join('\n')).toBe(text);
  });

  test('leaves room for the run marker, and counts code points', () => {
    const text = '𝒳'.repeat(600);
    const parts = fitText(text, 300, { split: true, runMarker: 'build-1' });
    for (const part of parts) expect(sizeOf(`${part}\n\n\`run:build-1\``)).toBeLessThanOrEqual(300);
    expect(parts.map(withoutNumber).join('')).toBe(text);
  });

  test('puts a fence around each part of a code block', () => {
    for (const part of fitText(lines(100), 300, { split: true, code: 'sh' })) {
      expect(part).toMatch(/^\(\d+\/\d+\)\n\n```sh\nline [\s\S]*\n```$/);
      expect(sizeOf(part)).toBeLessThanOrEqual(300);
    }
  });

  test('closes a code block at the end of a part, and opens it again in the next', () => {
    const text = `Before\n\`\`\`js\n${lines(60)}\n\`\`\`\nAfter\n${lines(60)}`;
    const parts = fitText(text, 400, { split: true });
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
      expect(sizeOf(part)).toBeLessThanOrEqual(400);
    }
    expect(withoutNumber(parts[1] ?? '')).toStartWith('```js\nline ');
    expect(withoutNumber(parts.at(-1) ?? '')).not.toContain('```');
  });

  test('rejects text that needs more posts than the rate limit allows', () => {
    expect(() => fitText('x'.repeat(30_000), 300, { split: true })).toThrow('at most 60 are possible');
  });
});

describe('--truncate', () => {
  test('ends with the sizes', () => {
    const [only = '', ...others] = fitText(lines(500), 400, { truncate: 'head' });
    expect(others).toEqual([]);
    expect(only).toMatch(/\nline \d+\n\n\*Truncated: the first \d{3} of 4,389 characters\*$/);
    expect(sizeOf(only)).toBeLessThanOrEqual(400);
  });

  test('closes the code block before the note', () => {
    const [code = ''] = fitText(lines(500), 400, { truncate: 'head', code: 'sh' });
    expect(code).toMatch(/^```sh\nline 0\n[\s\S]*\n```\n\n\*Truncated/);
    const [text = ''] = fitText(`~~~~\n${lines(500)}\n~~~~`, 400, { truncate: 'head' });
    expect(text).toMatch(/\n~~~~\n\n\*Truncated/);
  });

  test('keeps the end with =tail, after the sizes', () => {
    const [only = '', ...others] = fitText(lines(500), 400, { truncate: 'tail' });
    expect(others).toEqual([]);
    expect(only).toMatch(/^\*Truncated: the last \d{3} of 4,389 characters\*\n\nline \d+\n[\s\S]*\nline 499$/);
    expect(sizeOf(only)).toBeLessThanOrEqual(400);
    expect(sizeOf(only)).toBeGreaterThan(300);
  });

  test.each([
    ['a single line', 'x'.repeat(5_000), 'x'.repeat(600)],
    [
      'a long line before the last one',
      `short\n${'y'.repeat(5_000)}\nERROR the end`,
      `${'y'.repeat(500)}\nERROR the end`,
    ],
  ])('keeps the end of %s with =tail', (_, text, end) => {
    const [only = ''] = fitText(text, 1_000, { truncate: 'tail' });
    expect(only).toEndWith(end);
    expect(sizeOf(only)).toBeLessThanOrEqual(1_000);
  });

  test.each([
    ['```js', '```', 300],
    ['~~~~', '~~~~', 300],
    // The opening line itself takes room from the text.
    [`\`\`\`${'j'.repeat(60)}`, '```', 400],
  ])('opens the code block %s again if the end begins within it', (opener, closer, limit) => {
    const [only = ''] = fitText(`Before\n${opener}\n${lines(500)}\n${closer}`, limit, { truncate: 'tail' });
    expect(only).toMatch(new RegExp(`^\\*Truncated[^\\n]*\\n\\n${opener}\\nline \\d+\\n[^]*\\nline 499\\n${closer}$`));
    expect(sizeOf(only)).toBeLessThanOrEqual(limit);
    const [after = ''] = fitText(`${opener}\nx\n${closer}\n${lines(500)}`, limit, { truncate: 'tail' });
    expect(after).not.toContain(opener);
    const [code = ''] = fitText(lines(500), limit, { truncate: 'tail', code: 'sh' });
    expect(code).toMatch(/^\*Truncated.*\n\n```sh\nline \d+\n[\s\S]*\nline 499\n```$/);
  });

  test('keeps the end of a line that is too long, in code points', () => {
    const [only = ''] = fitText(`first\n${'𝒳'.repeat(1000)}end`, 400, { truncate: 'tail' });
    expect(only).toMatch(/characters\*\n\n𝒳+end$/u);
    expect(sizeOf(only)).toBeLessThanOrEqual(400);
  });
});
