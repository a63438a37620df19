import { describe, expect, test } from 'bun:test';
import { Chalk } from 'chalk';
import { Output } from './output.ts';
import { shortened, wrapAdvice, wrapText } from './terminal-text.ts';

const { bold, dim, yellow } = new Chalk({ level: 1 });

describe('wrapText', () => {
  test('does not change a line that fits', () => {
    expect(wrapText('just fits', 9)).toEqual(['just fits']);
    expect(wrapText('  just  fits ', 13)).toEqual(['  just  fits ']);
  });

  test('breaks between words, and drops the spaces there', () => {
    expect(wrapText('one two three', 10)).toEqual(['one two', 'three']);
    expect(wrapText('one two    three', 10)).toEqual(['one two', 'three']);
  });

  test('counts the prefix toward the width, and indents the following lines', () => {
    expect(wrapText('one two three four five six', 20, { before: '12:00 ', indent: 6 })).toEqual([
      '12:00 one two three',
      '      four five six',
    ]);
  });

  test('keeps styles, and does not break a word where only its style changes', () => {
    expect(wrapText(`aaaaa ${bold('bb')}bb cc`, 11)).toEqual([`aaaaa ${bold('bb')}bb`, 'cc']);
    expect(wrapText(`aaaaaaa ${bold('bb')}bb cc`, 11)).toEqual(['aaaaaaa', `${bold('bb')}bb cc`]);
    expect(wrapText(`aaaaaaa ${bold('bb cc')} dd`, 11)).toEqual([`aaaaaaa ${bold('bb')}`, `${bold('cc')} dd`]);
  });

  test('breaks a word that is longer than a line, but only between characters', () => {
    expect(wrapText('abcdefghijklmno', 12)).toEqual(['abcdefghijkl', 'mno']);
    expect(wrapText('日本語日本語日', 11)).toEqual(['日本語日本', '語日']);
    expect(wrapText('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 10)).toEqual(['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧']);
  });

  test('indents the following lines of a list item, and repeats the bar of a quote', () => {
    expect(wrapText('  • one two three', 14)).toEqual(['  • one two', '    three']);
    expect(wrapText(`${dim('│ ')}one two three`, 12)).toEqual([`${dim('│ ')}one two`, '│ three']);
    expect(wrapText(`│ ${' '.repeat(60)}x ${'y'.repeat(20)}`, 30)).toEqual([
      `│ ${' '.repeat(13)}x`,
      `│ ${' '.repeat(13)}${'y'.repeat(15)}`,
      `│ ${' '.repeat(13)}${'y'.repeat(5)}`,
    ]);
  });

  test('is fast for long lines', () => {
    const start = performance.now();
    expect(wrapText('x'.repeat(200_000), 80)).toHaveLength(2_500);
    expect(wrapText('x y '.repeat(50_000), 80)).toHaveLength(2_500);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

test('output strips escape sequences before it breaks a line', () => {
  let out = '';
  const write = (more: string) => {
    out += more;
  };
  const stdout = { isTTY: true, columns: 12, write, drained: () => Promise.resolve(), problem: undefined };
  const output = new Output({ env: {}, stdout, stderr: stdout }, { json: false, color: false });
  output.wrapped([{ before: [], line: ['aaaaaaaaaa\u001b[31mbbbbbbbbbb\u001b[0m'], indent: 0 }], 10);
  expect(out).toBe('aaaaaaaaaabb\nbbbbbbbb\n');
});

test('shortened truncates text to the width, including the ellipsis', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('日本語', 4)).toBe('日…');
  expect(shortened('a\u001b[2Jb', 6)).toBe('ab');
});

describe('wrapAdvice', () => {
  test('breaks between words', () => {
    expect(wrapAdvice('-- Releases is not followed any more', 30, 3)).toEqual([
      '-- Releases is not followed',
      '   any more',
    ]);
  });

  test('keeps a command on one line, so that it can be copied', () => {
    const command = 'hubctl login https://hub.example.com --profile work';
    expect(wrapAdvice(`${yellow('warning: ')}Log in again now: ${command}`, 40)).toEqual([
      `${yellow('warning: ')}Log in again now:`,
      `  ${command}`,
    ]);
    expect(wrapAdvice(`  ${command}`, 40)).toEqual([`  ${command}`]);
    expect(wrapAdvice(`Again: ${command}`, 80)).toEqual([`Again: ${command}`]);
  });
});
