import { expect, test } from 'bun:test';
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

test('the output of each Editor.js tool becomes readable text', () => {
  for (const { by, block, text } of savedBlocks) expect([by, textOf(block)]).toEqual([by, text]);
});

test('the text of a message has an empty line between blocks, and leaves out empty blocks', () => {
  const empty = [paragraph(' <b></b>'), { type: 'header', data: { text: '', level: 1 } }];
  expect(textOf(paragraph('a'), ...empty, paragraph('b'))).toBe('a\n\nb');
  expect(textOf(paragraph(''))).toBe('');
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

test.each([
  ['a<br>b &amp; <mark>c</mark>&nbsp;d', 'a\nb & c d'],
  ['see <a href="https://a.example/x"><b>this</b></a>', 'see this (https://a.example/x)'],
  ['<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
  ['<a href="mailto:a@a.example">a@a.example</a>', 'a@a.example'],
  ['<a href="javascript:x">this</a> 1 < 2', 'this 1 < 2'],
])('inline HTML is read as text: %j', (html, text) => {
  expect(textOf(paragraph(html))).toBe(text);
});

test('a block of an unknown type is marked as unsupported, even if it has no text, whatever the type', () => {
  expect(textOf({ type: 'embed', data: { width: 580 } })).toBe('[unsupported block: embed]');
  for (const type of ['__proto__', 'toString']) {
    expect(textOf({ type, data: JSON.parse('{"__proto__":"a"}') })).toBe(`[unsupported block: ${type}] a`);
  }
});
