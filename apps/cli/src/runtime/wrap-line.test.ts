import { describe, expect, test } from 'bun:test';
import { type Line, styled } from './segments.ts';
import { shortened, wrapAdvice, wrapLine } from './wrap-line.ts';

/** Returns the lines, with `<>` around styled parts. */
function wrapped(line: Line, width: number, before: Line = [], indent = 0): string[] {
  return wrapLine(line, { before, indent, width }).map((each) =>
    each.map((part) => (typeof part === 'string' ? part : `<${part.text}>`)).join(''),
  );
}

describe('wrapLine', () => {
  test('does not change a line that fits', () => {
    expect(wrapped(['just fits'], 9)).toEqual(['just fits']);
  });

  test('breaks between words, and drops the spaces there', () => {
    expect(wrapped(['one two three'], 10)).toEqual(['one two', 'three']);
    expect(wrapped(['one two    three'], 8)).toEqual(['one two', 'three']);
  });

  test('counts the prefix toward the width, and indents the following lines', () => {
    expect(wrapped(['one two three four five six'], 20, ['12:00 '], 6)).toEqual([
      '12:00 one two three',
      '      four five six',
    ]);
  });

  test('keeps styles, and does not break a word where only its style changes', () => {
    expect(wrapped(['aaaaa ', styled('bold', 'bb'), 'bb cc'], 11)).toEqual(['aaaaa <bb>bb', 'cc']);
    expect(wrapped(['aaaaaaa ', styled('bold', 'bb'), 'bb cc'], 11)).toEqual(['aaaaaaa', '<bb>bb cc']);
  });

  test('breaks a word that is longer than a line, but only between characters', () => {
    expect(wrapped(['abcdefghijklmno'], 12)).toEqual(['abcdefghijkl', 'mno']);
    expect(wrapped(['日本語日本語日'], 11)).toEqual(['日本語日本', '語日']);
    expect(wrapped(['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'], 10)).toEqual(['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧']);
  });

  test('indents the following lines of a list item, and repeats the marker of a quote', () => {
    expect(wrapped(['- ', 'one two three'], 12)).toEqual(['- one two', '  three']);
    expect(wrapped([styled('dim', '> '), 'one two three'], 12)).toEqual(['<>>< >one two', '<> >three']);
  });

  test('strips escape sequences before it breaks a line', () => {
    const rows = wrapped(['aaaaaaaaaa\u001b[31mbbbbbbbbbb\u001b[0m'], 12);
    expect(rows).toEqual(['aaaaaaaaaabb', 'bbbbbbbb']);
  });

  test('is fast for long lines', () => {
    const start = performance.now();
    expect(wrapped(['x'.repeat(200_000)], 80)).toHaveLength(2_500);
    expect(wrapped(['x y '.repeat(50_000)], 80)).toHaveLength(2_500);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

test('shortened truncates text to the width, including the ellipsis', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('日本語', 4)).toBe('日…');
  expect(shortened('a\u001b[2Jb', 6)).toBe('ab');
});

describe('wrapAdvice', () => {
  const advice = (line: Line, width: number, indent = 0) =>
    wrapAdvice(line, { indent, width }).map((each) =>
      each.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
    );

  test('breaks between words', () => {
    expect(advice([styled('dim', '-- Releases is not followed any more')], 30, 3)).toEqual([
      '-- Releases is not followed',
      '   any more',
    ]);
  });

  test('keeps a command on one line, so that it can be copied', () => {
    const command = 'hubctl login https://hub.example.com --profile work';
    expect(advice([styled('yellow', 'warning: '), `Log in again now: ${command}`], 40)).toEqual([
      'warning: Log in again now:',
      `  ${command}`,
    ]);
    expect(advice([`  ${command}`], 40)).toEqual([`  ${command}`]);
    expect(advice([`Again: ${command}`], 80)).toEqual([`Again: ${command}`]);
  });
});
