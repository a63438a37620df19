import { describe, expect, test } from 'bun:test';
import type { Line } from './markdown-lines.ts';
import { styled } from './output.ts';
import { shortened, wrapAdvice, wrapLine } from './wrap-line.ts';

/** With `|` at the ends of the lines, and `<>` around what has a style. */
function wrapped(line: Line, width: number, before: Line = [], indent = 0): string[] {
  return wrapLine(line, { before, indent, width }).map((each) =>
    each.map((part) => (typeof part === 'string' ? part : `<${part.text}>`)).join(''),
  );
}

describe('breaking lines', () => {
  test('leaves alone what fits', () => {
    expect(wrapped(['just fits'], 9)).toEqual(['just fits']);
  });

  test('breaks between words, and drops the blank there', () => {
    expect(wrapped(['one two three'], 10)).toEqual(['one two', 'three']);
    expect(wrapped(['one two    three'], 8)).toEqual(['one two', 'three']);
  });

  test('counts what stands before, and keeps the other lines to its right', () => {
    expect(wrapped(['one two three four five six'], 20, ['12:00 '], 6)).toEqual([
      '12:00 one two three',
      '      four five six',
    ]);
  });

  test('keeps styles, and breaks no word where only its style changes', () => {
    expect(wrapped(['aaaaa ', styled('bold', 'bb'), 'bb cc'], 11)).toEqual(['aaaaa <bb>bb', 'cc']);
    expect(wrapped(['aaaaaaa ', styled('bold', 'bb'), 'bb cc'], 11)).toEqual(['aaaaaaa', '<bb>bb cc']);
  });

  test('breaks a word that is longer than a line anywhere, but no character', () => {
    expect(wrapped(['abcdefghijklmno'], 12)).toEqual(['abcdefghijkl', 'mno']);
    expect(wrapped(['日本語日本語日'], 11)).toEqual(['日本語日本', '語日']);
    expect(wrapped(['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'], 10)).toEqual(['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧']);
  });

  test('goes on to the right of a bullet, and behind the mark of a quotation', () => {
    expect(wrapped(['- ', 'one two three'], 12)).toEqual(['- one two', '  three']);
    expect(wrapped([styled('dim', '> '), 'one two three'], 12)).toEqual(['<>>< >one two', '<> >three']);
  });

  test('never puts two halves of an escape sequence on two lines', () => {
    const rows = wrapped(['aaaaaaaaaa\u001b[31mbbbbbbbbbb\u001b[0m'], 12);
    expect(rows).toEqual(['aaaaaaaaaabb', 'bbbbbbbb']);
  });

  test('is quick also with what is long', () => {
    const start = performance.now();
    expect(wrapped(['x'.repeat(200_000)], 80)).toHaveLength(2_500);
    expect(wrapped(['x y '.repeat(50_000)], 80)).toHaveLength(2_500);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

test('what is shortened ends with an ellipsis, within its width', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('日本語', 4)).toBe('日…');
  expect(shortened('a\u001b[2Jb', 6)).toBe('ab');
});

describe('advice beside the result', () => {
  const advice = (line: Line, width: number, indent = 0) =>
    wrapAdvice(line, { indent, width }).map((each) =>
      each.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
    );

  test('is broken between words', () => {
    expect(advice([styled('dim', '-- Releases is not followed any more')], 30, 3)).toEqual([
      '-- Releases is not followed',
      '   any more',
    ]);
  });

  test('keeps a command in one piece, for it is copied', () => {
    const command = 'hubctl login https://hub.example.com --profile work';
    expect(advice([styled('yellow', 'warning: '), `Log in again now: ${command}`], 40)).toEqual([
      'warning: Log in again now:',
      `  ${command}`,
    ]);
    expect(advice([`  ${command}`], 40)).toEqual([`  ${command}`]);
    expect(advice([`Again: ${command}`], 80)).toEqual([`Again: ${command}`]);
  });
});
