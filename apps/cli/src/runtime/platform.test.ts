import { describe, expect, test } from 'bun:test';
import { processorMs } from '@hub/testkit/cli/processor-time';
import { platform as node } from './platform.node.ts';
import { platform as bun } from './platform.ts';

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

describe('the platform on Node lays out text as Bun does', () => {
  test.each(TEXTS)('%j', (text) => {
    expect(node.textWidth(text)).toBe(bun.textWidth(text));
    expect(node.stripAnsi(text)).toBe(bun.stripAnsi(text));
    for (const columns of [9, 10, 11]) {
      expect(node.sliceAnsi(text, 0, columns)).toBe(bun.sliceAnsi(text, 0, columns));
      expect(node.sliceAnsi(text, columns)).toBe(bun.sliceAnsi(text, columns));
      const cut = node.sliceAnsi(text, 0, columns, '…');
      expect(node.stripAnsi(cut)).toBe(bun.stripAnsi(bun.sliceAnsi(text, 0, columns, '…')));
      expect(node.wrapAnsi(text, columns)).toBe(bun.wrapAnsi(text, columns));
    }
  });
});

test('the platform on Node breaks a word that is longer than a line, in linear time', () => {
  const ms = processorMs(() => {
    expect(node.wrapAnsi('日'.repeat(40_000), 80).split('\n')).toHaveLength(1_000);
  });
  expect(ms).toBeLessThan(2_000);
});
