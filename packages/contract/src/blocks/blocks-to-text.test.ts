import { describe, expect, test } from 'bun:test';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';

/** Calls checkBlocks first, because blocksToText supports everything that it accepts. */
function textOf(...blocks: unknown[]): string {
  const result = checkBlocks(blocks);
  if (!result.ok) throw new Error(result.message);
  return blocksToText(result.blocks);
}
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });

test.each(savedBlocks)('blocksToText returns readable text for $by', ({ block, text }) => {
  expect(textOf(block)).toBe(text);
});

describe('the text of a message', () => {
  test('has an empty line between blocks, and leaves out empty blocks', () => {
    expect(
      textOf(paragraph('a'), paragraph(' <b></b>'), { type: 'header', data: { text: '', level: 1 } }, paragraph('b')),
    ).toBe('a\n\nb');
    expect(textOf(paragraph(''))).toBe('');
    expect(textOf()).toBe('');
  });
});

test('terminal escape sequences are removed from the text', () => {
  const red = '\u001b[31mred\u001b[0m';
  const blocks = [
    paragraph(red),
    { type: 'code', data: { code: red } },
    { type: 'poll', data: { a: `<b>${red}</b>` } },
  ];
  expect(textOf(...blocks)).toBe('red\n\nred\n\n[unsupported block: poll] red');
});

describe('inline HTML', () => {
  test.each([
    ['a<br>b &amp; <mark>c</mark>&nbsp;d', 'a\nb & c d'],
    ['see <a href="https://a.example/x"><b>this</b></a>', 'see this (https://a.example/x)'],
    ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
    ['<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
    ['<a href="mailto:a@a.example">a@a.example</a>', 'a@a.example'],
    ['<a href="javascript:x">this</a>', 'this'],
    ['1 < 2', '1 < 2'],
  ])('reads %j as %j', (html, text) => {
    expect(textOf(paragraph(html))).toBe(text);
  });
});

describe('a block of an unknown type', () => {
  test('is marked as unsupported even if it has no text', () => {
    expect(textOf({ type: 'embed', data: { width: 580 } })).toBe('[unsupported block: embed]');
  });

  test.each(['__proto__', 'constructor', 'toString'])('may have the type %s', (type) => {
    expect(textOf({ type, data: JSON.parse('{"__proto__":"a"}') })).toBe(`[unsupported block: ${type}] a`);
  });
});
