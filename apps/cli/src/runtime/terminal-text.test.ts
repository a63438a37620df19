import { describe, expect, test } from 'bun:test';
import { processorMs } from '@hub/testkit/statistics';
import { printedAt } from '../../test/run-hubctl.ts';
import { platform as node } from './platform.node.ts';
import { platform as bun } from './platform.ts';
import { plainLine, plainText, printableJson, shortened, wrapText } from './terminal-text.ts';

const NASTY: Record<string, [given: string, shown: string]> = {
  'colors (CSI)': ['a\x1b[31mred\x1b[0mb', 'aredb'],
  'cursor movement with parameters and intermediates': ['a\x1b[2J\x1b[1;1H\x1b[?25l\x1b[0 qb', 'ab'],
  'a CSI in C1 form': ['a\x9b31mb', 'ab'],
  'a hyperlink (OSC 8)': ['\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\', 'click'],
  'clipboard access (OSC 52) that ends with BEL': ['a\x1b]52;c;cm0gLXJmIC8=\x07b', 'ab'],
  'a window title in C1 form': ['a\x9d0;title\x9cb', 'ab'],
  'device control (DCS) and privacy': ['a\x1bPq#0\x1b\\\x1b^x\x1b\\b', 'ab'],
  'application and start of string': ['a\x1b_y\x1b\\\x1bXz\x1b\\b', 'ab'],
  'a full reset and a character set': ['a\x1bc\x1b(0b', 'ab'],
  'an unterminated OSC, whose text stays visible,': ['a\x1b]0;rest', 'a]0;rest'],
  'an escape at the end': ['a\x1b', 'a'],
  'an escape built from the remains of another': ['\x1b\x1b[31m[31mx', '[31mx'],
  'a carriage return that overwrites the line': ['paid 1000\rpaid 1', 'paid 1000 paid 1'],
  backspaces: ['rm x\b\b\b\bls', 'rm xls'],
  'a bell, NUL, DEL and shifts': ['a\x07\x00\x7f\x0e\x0fb', 'ab'],
  'a line feed, a form feed, NEL and the Unicode separators': ['a\nb\fc\x85d\u2028e\u2029f', 'a b c d e f'],
  'bidirectional overrides, isolates and marks': ['\u202eevil\u202c\u2066x\u2069\u200e\u200f\u061c', 'evilx'],
  'zero-width spaces, a soft hyphen and a byte order mark': ['a\u200bb\u2060c\u00add\ufeffe', 'abcde'],
  'invisible tags': ['a\u{e0041}\u{e007f}b', 'ab'],
  'a lone surrogate': ['a\ud800b', 'a\ufffdb'],
};

describe('plainLine', () => {
  test.each(Object.entries(NASTY))('neutralizes %s, as plainText does but for lines', (_, [given, expected]) => {
    expect(plainLine(given)).toBe(expected);
    expect(plainText(given).replaceAll('\n', ' ')).toBe(expected);
  });

  test('lets no control characters through in random combinations', () => {
    const parts = [...'\x1b [ ] \x9b \x9d \x07 \x1b\\ \x9c P 0 ; m \r \u202e x'.split(' '), ' '];
    let seed = 1;
    for (let round = 0; round < 2000; round += 1) {
      let text = '';
      for (let length = 0; length < 12; length += 1) {
        seed = (seed * 48271) % 0x7fffffff;
        text += parts[seed % parts.length];
      }
      expect(plainLine(text)).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  test('keeps ordinary text: umlauts, Arabic, Persian joiners, emoji families', () => {
    const text = 'Zürich مرحبا می‌خواهم 👩‍👩‍👧 日本 “quoted” – dash';
    expect(plainLine(text)).toBe(text);
    expect(plainText('a\r\nb\tc\rd\x1b[1me\x85f')).toBe('a\nb\tc\nde\nf');
  });

  test('takes linear time for a megabyte of unterminated sequences', () => {
    const ms = processorMs(() => {
      for (const opening of ['\x1b]', '\x9d', '\x1b[', '\x1b[0;']) plainLine(opening.repeat(300_000));
    });
    expect(ms).toBeLessThan(1000);
  });
});

test('printableJson changes no string, and escapes all control and format characters, including C1', () => {
  for (const [given] of Object.values(NASTY)) {
    const text = printableJson({ [given]: given }, 2);
    expect(JSON.parse(text)).toEqual({ [given]: given });
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
  expect(printableJson({ a: ['\x9b31m\u{e0041}'] }, 2)).toBe('{\n  "a": [\n    "\\u009b31m\\udb40\\udc41"\n  ]\n}');
});

test('wrapText breaks a word that is longer than a line between characters, and is fast', () => {
  for (const text of ['just fits', '  just  fits ']) expect(wrapText(text, text.length)).toEqual([text]);
  expect(wrapText('日本語日本語日', 11)).toEqual(['日本語日本', '語日']);
  const ms = processorMs(() => {
    expect(wrapText('x'.repeat(200_000), 80)).toHaveLength(2_500);
    expect(wrapText('x y '.repeat(50_000), 80)).toHaveLength(2_500);
    expect(node.wrapAnsi('日'.repeat(40_000), 80).split('\n')).toHaveLength(1_000);
  });
  expect(ms).toBeLessThan(3_000);
});

test('output breaks lines without their escape sequences, but none with a command, so that it can be copied', () => {
  const block = printedAt(12, (output) => output.block([['aaaaaaaaaa\u001b[31mbbbbbbbbbb\u001b[0m']], 0));
  expect(block).toBe('aaaaaaaaaabb\nbbbbbbbb\n');
  const out = printedAt(20, (output) => {
    output.note('This takes longer than a row.');
    output.note('To log in again: hubctl login https://hub.example.com');
  });
  expect(out).toBe('This takes longer\nthan a row.\nTo log in again: hubctl login https://hub.example.com\n');
});

test('shortened text ends with an ellipsis, and with a whole character', () => {
  expect(shortened('just fits', 9)).toBe('just fits');
  expect(shortened('one two three', 8)).toBe('one two…');
  expect(shortened('日本語', 4)).toBe('日…');
});

const TEXTS = [
  '',
  'just fits',
  'one two    three',
  '  • one two three',
  '\x1b[1maaaaa bb\x1b[22mbb cc',
  'aaaaaaa \x1b[1mbb cc\x1b[22m dd',
  '日本語 日本語日',
  '👩‍👩‍👧👩‍👩‍👧 👍🏽 🇩🇪 ❤️',
  '\x1b]8;;https://hub.example.com\x1b\\a link\x1b]8;;\x1b\\ and more',
];

test.each(TEXTS)('the platform on Node lays out text as Bun does: %j', (text) => {
  expect(node.textWidth(text)).toBe(bun.textWidth(text));
  for (const columns of [9, 10, 11]) expect(node.wrapAnsi(text, columns)).toBe(bun.wrapAnsi(text, columns));
});
