import { describe, expect, test } from 'bun:test';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';

/** Through checkBlocks, since blocksToText promises to read all that it accepts. */
function textOf(...blocks: unknown[]): string {
  const verdict = checkBlocks(blocks);
  if (!verdict.ok) throw new Error(verdict.message);
  return blocksToText(verdict.blocks);
}
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });

test.each(savedBlocks)('what the tool saves is readable: $by', ({ block, text }) => {
  expect(textOf(block)).toBe(text);
});

describe('a message', () => {
  test('has an empty line between its blocks, and none for a block that says nothing', () => {
    expect(
      textOf(paragraph('a'), paragraph(' <b></b>'), { type: 'header', data: { text: '', level: 1 } }, paragraph('b')),
    ).toBe('a\n\nb');
    expect(textOf(paragraph(''))).toBe('');
    expect(textOf()).toBe('');
  });

  test('keeps optional fields that are null or missing out of the text', () => {
    expect(textOf({ type: 'quote', data: { text: 'a', caption: null } })).toBe('> a');
    expect(textOf({ type: 'warning', data: { message: 'a' } })).toBe('⚠ a');
    expect(textOf({ type: 'image', data: { file: null, url: 'https://a.example/', caption: null } })).toBe(
      'https://a.example/',
    );
    expect(
      textOf({
        type: 'list',
        data: { style: 'checklist', meta: null, items: [{ content: 'a', meta: null, items: null }] },
      }),
    ).toBe('[ ] a');
  });
});

test('sequences for terminals are left out', () => {
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
  ])('%s', (html, text) => {
    expect(textOf(paragraph(html))).toBe(text);
  });

  test('headings, items, cells and captions stay on one line', () => {
    expect(textOf({ type: 'header', data: { text: 'a<br> b', level: 1 } })).toBe('# a b');
    expect(textOf({ type: 'list', data: { style: 'unordered', items: ['a<br>b'] } })).toBe('- a b');
    expect(textOf({ type: 'table', data: { content: [['a\nb', 'c']] } })).toBe('a b | c');
  });

  test('code is no HTML', () => {
    expect(textOf({ type: 'code', data: { code: '<b>&amp;</b>' } })).toBe('<b>&amp;</b>');
  });
});

describe('an unknown type', () => {
  test('is marked even if it says nothing', () => {
    expect(textOf({ type: 'embed', data: { width: 580 } })).toBe('[unsupported block: embed]');
  });

  test('shows its texts at every level in the order in which they were sent, and not the names of its properties', () => {
    const data = { title: 'One', rows: [['two', { deep: '<i>three</i>' }], null, true], last: '&lt;four&gt;' };
    expect(textOf({ type: 'grid', data })).toBe('[unsupported block: grid] One two three <four>');
  });

  test('cannot break the line or flood it with its name', () => {
    expect(textOf({ type: 'a\nb', data: {} })).toBe('[unsupported block: a b]');
    expect(textOf({ type: `a${'😀'.repeat(1000)}`, data: {} })).toBe(`[unsupported block: a${'😀'.repeat(63)}…]`);
    expect(textOf({ type: '😀'.repeat(64), data: {} })).toBe(`[unsupported block: ${'😀'.repeat(64)}]`);
    expect(textOf({ type: '😀'.repeat(1000), data: {} })).toBe(`[unsupported block: ${'😀'.repeat(64)}…]`);
  });

  test.each(['__proto__', 'constructor', 'toString'])('may be called %s', (type) => {
    expect(textOf({ type, data: JSON.parse('{"__proto__":"a"}') })).toBe(`[unsupported block: ${type}] a`);
  });
});

describe('256 KiB', () => {
  test.each(['<', '&', '<b>', '\n', ' ', ' \n', '<br>', 'a '])(
    'of %j in any block takes linear time and grows little',
    (piece) => {
      const html = piece.repeat((250 * 1024) / JSON.stringify(piece).slice(1, -1).length);
      const item = (depth: number): object => ({
        content: depth === 8 ? html : '',
        items: depth === 8 ? [] : [item(depth + 1)],
      });
      const blocks = [
        paragraph(html),
        { type: 'header', data: { text: html, level: 6 } },
        { type: 'quote', data: { text: html, caption: html.slice(0, 9) } },
        { type: 'list', data: { style: 'ordered', meta: { start: 2_147_483_000 }, items: [item(1)] } },
        { type: 'table', data: { content: [[html]] } },
        { type: 'poll', data: { a: html } },
      ];
      const started = performance.now();
      for (const block of blocks) expect(textOf(block).length).toBeLessThan(4 * 256 * 1024);
      expect(performance.now() - started).toBeLessThan(3000);
    },
  );
});
