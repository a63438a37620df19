import { expect, test } from 'bun:test';
import type { Block } from '@hub/contract';
import { blocksLines } from './block-lines.ts';
import { markdownLines } from './markdown-lines.ts';
import { Output } from './output.ts';

const paragraph = (text: string): Block => ({ type: 'paragraph', data: { text } });
const text = (blocks: Block[]) =>
  blocksLines(blocks).map((line) =>
    line.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''),
  );

/** Returns the output for a terminal with colors. */
function printed(blocks: Block[]): string {
  let out = '';
  const write = (more: string) => {
    out += more;
  };
  const stdout = { isTTY: true, columns: 80, write, drained: () => Promise.resolve(), problem: undefined };
  const output = new Output({ env: {}, stdout, stderr: stdout }, { json: false, color: true });
  for (const line of blocksLines(blocks)) output.line(...line);
  return out;
}

test('a block looks like its Markdown equivalent', () => {
  const list = {
    style: 'ordered' as const,
    meta: { start: 3 },
    items: ['one', { content: 'two', items: [{ content: 'in' }] }],
  };
  const pairs: [Block, string][] = [
    [{ type: 'header', data: { text: 'Release', level: 2 } }, '## Release'],
    [
      paragraph('<b>bold</b>, <i>italic</i>, <s>gone</s> and <code>a = b</code>'),
      '**bold**, *italic*, ~~gone~~ and `a = b`',
    ],
    [paragraph('<a href="https://x.example/y">there</a>'), '[there](https://x.example/y)'],
    [{ type: 'list', data: list }, '3. one\n4. two\n   1. in'],
    [{ type: 'quote', data: { text: 'Said <b>so</b>' } }, '> Said **so**'],
    [{ type: 'code', data: { code: 'if (a) {\n  **b**\n}' } }, '```\nif (a) {\n  **b**\n}\n```'],
    [{ type: 'delimiter', data: {} }, '---'],
    [{ type: 'checklist', data: { items: [{ text: 'a', checked: true }] } }, '- [x] a'],
  ];
  for (const [block, markdown] of pairs) expect(blocksLines([block])).toEqual(markdownLines(markdown));
});

test('code is shown verbatim, and text is not parsed as Markdown', () => {
  const code = '# not a title\n\n   `<b>&amp;` *x* \\*  \n> end';
  expect(text([{ type: 'code', data: { code } }])).toEqual(code.split('\n').map((line) => `  ${line}`));
  expect(text([paragraph('1 * 2 * 3 _a_ `b` # c')])).toEqual(['1 * 2 * 3 _a_ `b` # c']);
});

test('blocks are separated by empty lines, and blank blocks are omitted', () => {
  expect(text([paragraph('one'), paragraph(' '), paragraph('two<br>three')])).toEqual(['one', '', 'two', 'three']);
});

test('tables, warnings, images and captions are shown as text', () => {
  expect(
    text([
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['A', 'B'],
            ['1<br>2', '3'],
          ],
        },
      },
      { type: 'warning', data: { title: 'Mind', message: 'the gap' } },
      { type: 'image', data: { file: { url: 'https://x.example/a.png' }, caption: 'A <b>cat</b>' } },
      { type: 'image', data: { url: 'https://x.example/b.png' } },
      { type: 'quote', data: { text: 'Yes', caption: 'Ada' } },
    ]),
  ).toEqual([
    ...['A | B', '1 2 | 3', '', '⚠ Mind', 'the gap', '', 'A cat (https://x.example/a.png)', ''],
    ...['https://x.example/b.png', '', '> Yes', '> — Ada'],
  ]);
});

test('a block of an unknown type is shown as text, with a note that the block is unsupported', () => {
  expect(text([{ type: 'poll', data: { question: 'Tea?' } }])).toEqual(['[unsupported block: poll] Tea?']);
});

const STYLES = new RegExp(`\u001b\\[(?:${[1, 2, 3, 4, 9, 22, 23, 24, 29, 33, 36, 39].join('|')})m`, 'g');

test('no control characters from a post reach the terminal', () => {
  const evil = '\u001b]0;title\u0007\u001b[2J&#27;[31m&#x9b;5m\u202e';
  const data = [
    paragraph(`a${evil}<b>b${evil}</b><a href="https://x.example/${evil}">c</a>`),
    { type: 'code', data: { code: `d${evil}` } },
    { type: evil, data: { text: evil } },
    { type: 'table', data: { content: [[evil]] } },
    // An escape sequence split into two halves, each harmless on its own.
    paragraph('<b>\u001b</b>[2J<b>\u001b[</b>2J'),
  ] satisfies Block[];
  const rest = printed(data).replaceAll(STYLES, '');
  expect(rest).not.toMatch(/[[\p{Cc}\p{Cf}]--[\n]]/v);
});

test('the indentation of deeply nested lists is limited', () => {
  let item: { content: string; items?: (typeof item)[] } = { content: 'in' };
  for (let depth = 0; depth < 2_000; depth += 1) item = { content: 'x', items: [item] };
  const lines = text([{ type: 'list', data: { style: 'unordered', items: [item] } }]);
  expect(lines).toHaveLength(2_001);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100);
});
