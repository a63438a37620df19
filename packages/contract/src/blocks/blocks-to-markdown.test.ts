import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { blocksToMarkdown } from './blocks-to-markdown.ts';
import { blocksToText } from './blocks-to-text.ts';
import { checkBlocks } from './check-blocks.ts';
import { type InlineNode, parseInlineHtml } from './inline-html.ts';
import { savedBlocks } from './saved-blocks.fixture.ts';

/** Calls checkBlocks first, because the converters support everything that it accepts. */
function accepted(...blocks: unknown[]) {
  const result = checkBlocks(blocks);
  if (!result.ok) throw new Error(result.message);
  return result.blocks;
}
const markdownOf = (block: unknown) => blocksToMarkdown(accepted(block));
const textOf = (...blocks: unknown[]) => blocksToText(accepted(...blocks));
const paragraph = (text: string) => ({ type: 'paragraph', data: { text } });

test.each([
  ['a <b>b</b> <i>c</i> <s>d</s> <code>e</code>', 'a **b** _c_ ~~d~~ `e`'],
  ['<strong>a <em>b</em></strong>', '**a _b_**'],
  ['<u>a</u> <mark>b</mark>', 'a b'],
  ['a<br>b<br><br>c', 'a\\\nb\\\n\\\nc'],
  ['un<i>believ</i>able', 'un*believ*able'],
  ['<b>(a)</b>b', '**(a)**&#98;'],
  ['<a href="https://a.example/(x)">this [one]</a>', '[this \\[one\\]](https://a.example/\\(x\\))'],
  ['<a href="https://a.example/a_b">https://a.example/a_b</a>', '<https://a.example/a_b>'],
  ['see https://a.example/a_b_c.', 'see <https://a.example/a_b_c>.'],
  ['“https://a.example/a_b”，(https://a.example/a_(b))', '“<https://a.example/a_b>”，(<https://a.example/a_(b)>)'],
  ['https://a.example。b_ https://[::1]:80/*', '<https://a.example>。b\\_ <https://[::1]:80/>\\*'],
  ['&lt;1@a.example&gt; 1 &lt; 2', '\\<1@a.example> 1 < 2'],
  ['<code>a `b` &lt;c&gt;</code> <code>`</code>', '``a `b` <c>`` `` ` ``'],
])('inline HTML becomes Markdown: %s', (html, markdown) => expect(markdownOf(paragraph(html))).toBe(markdown));

const image = (url: string, rest = {}) => ({ type: 'image', data: { url: `https://a.example/${url}`, ...rest } });
const list = (style: string, meta: object, ...items: object[]) => ({ type: 'list', data: { style, meta, items } });
const checked = { content: 'ship', meta: { checked: true }, items: [{ content: 'tell' }] };
const cases: [string, unknown, string][] = [
  ['a header', { type: 'header', data: { text: 'C <i>#</i> C #', level: 2 } }, '## C _#_ C \\#'],
  ['code', { type: 'code', data: { code: 'if (x) {\n  `a`\n}' } }, '```\nif (x) {\n  `a`\n}\n```'],
  ['code that contains a fence', { type: 'code', data: { code: '```\nx\n```' } }, '````\n```\nx\n```\n````'],
  ['a delimiter', { type: 'delimiter', data: {} }, '---'],
  ['a quotation', { type: 'quote', data: { text: 'a<br><b>b</b>', caption: 'C' } }, '> a\\\n> **b**\n>\n> — C'],
  [
    'a list in a list',
    list('ordered', { start: 9 }, { content: 'nine', items: [{ content: '# first' }] }, { content: '' }),
    '9. nine\n   1. \\# first\n10. &nbsp;',
  ],
  ['a checklist', list('checklist', {}, checked), '- [x] ship\n  - [ ] tell'],
  [
    'a table',
    { type: 'table', data: { withHeadings: true, content: [['a|b', 'c'], ['<b>d</b>'], ['<code>x|y</code>', 'z']] } },
    '| a\\|b | c |\n| --- | --- |\n| **d** |\n| `x\\|y` | z |',
  ],
  ['a table with no head', { type: 'table', data: { content: [['a', 'b']] } }, '|  |  |\n| --- | --- |\n| a | b |'],
  ['a warning', { type: 'warning', data: { title: 'Note', message: '1. old' } }, '⚠ **Note**\\\n1\\. old'],
  ['an image', image('a b.png', { caption: 'A car' }), '[A car](https://a.example/a%20b.png)'],
  ['an image without a caption', image('a.png'), '<https://a.example/a.png>'],
  ['a block of another tool', { type: 'poll', data: { q: 'Tea * 2?' } }, '\\[unsupported block: poll\\] Tea \\* 2?'],
];
test.each(cases)('%s becomes Markdown', (_, block, markdown) => expect(markdownOf(block)).toBe(markdown));

test('the output of each Editor.js tool becomes readable text', () => {
  for (const { by, block, text } of savedBlocks) expect([by, textOf(block)]).toEqual([by, text]);
});

test('the text of a message has an empty line between blocks, no empty blocks, and no terminal escape sequences', () => {
  const empty = [paragraph(' <b></b>'), { type: 'header', data: { text: '', level: 1 } }];
  const red = '\u001b[31mred\u001b[0m';
  const code = { type: 'code', data: { code: red } };
  const poll = { type: 'poll', data: { a: `<b>${red}</b>` } };
  expect(textOf(paragraph(red), ...empty, code, poll)).toBe('red\n\nred\n\n[unsupported block: poll] red');
  expect(textOf(paragraph(''))).toBe('');
});

test.each([
  ['a<br>b &amp; <mark>c</mark>&nbsp;d', 'a\nb & c d'],
  ['see <a href="https://a.example/x"><b>this</b></a>', 'see this (https://a.example/x)'],
  ['<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
  ['<a href="mailto:a@a.example">a@a.example</a>', 'a@a.example'],
  ['<a href="javascript:x">this</a> 1 < 2', 'this 1 < 2'],
])('inline HTML is read as text: %j', (html, text) => expect(textOf(paragraph(html))).toBe(text));

test('a block of an unknown type is marked as unsupported, even if it has no text, whatever the type', () => {
  expect(textOf({ type: 'embed', data: { width: 580 } })).toBe('[unsupported block: embed]');
  for (const type of ['__proto__', 'toString']) {
    expect(textOf({ type, data: JSON.parse('{"__proto__":"a"}') })).toBe(`[unsupported block: ${type}] a`);
  }
});

const LONG = [...'< & <b> <br> ) * <b>a</b><i>b</i> https://a.example/_ ` #'.split(' '), '\n', ' ', ' \n', 'a ']
  .map((piece) => [piece, ''])
  .concat([
    ['a.', 'https://'],
    ['a’é', 'https://a.example/'],
  ]);

test.each(LONG)('256 KiB of %j in any block become Markdown and text in linear time, at most 1 MiB', (piece, start) => {
  const html = start + piece.repeat((250 * 1024) / Buffer.byteLength(JSON.stringify(piece).slice(1, -1)));
  const item = (depth: number): object =>
    depth === 8 ? { content: html, items: [] } : { content: '', items: [item(depth + 1)] };
  const blocks = [
    paragraph(html),
    { type: 'header', data: { text: html, level: 6 } },
    { type: 'quote', data: { text: html, caption: html.slice(0, 9) } },
    { type: 'list', data: { style: 'ordered', meta: { start: 2_147_483_000 }, items: [item(1)] } },
    { type: 'table', data: { content: [[html]] } },
    { type: 'code', data: { code: html } },
    { type: 'poll', data: { a: html } },
  ];
  for (const convert of [blocksToMarkdown, blocksToText]) {
    const before = process.threadCpuUsage();
    for (const block of blocks) expect(convert(accepted(block)).length).toBeLessThan(4 * 256 * 1024);
    const { user, system } = process.threadCpuUsage(before);
    expect(user + system).toBeLessThan(3_000_000);
  }
});

/** Returns each visible character with those of its formats that Markdown supports. */
function visibleCharacters(html: string): string[] {
  const seen: string[] = [];
  const walk = (nodes: readonly InlineNode[], around: readonly string[]): void => {
    for (const node of nodes) {
      if (typeof node === 'string') {
        for (const character of node.replace(/\s/gu, ''))
          seen.push([character, ...[...new Set(around)].sort()].join(' '));
      } else if (node.tag === 'br') seen.push('break');
      else walk(node.children, [...around, ...marksOf(node.tag === 'a' ? node.href : node.tag)]);
    }
  };
  walk(parseInlineHtml(html), []);
  return trimmedBreaks(seen);
}

function marksOf(tag: string): string[] {
  if (tag === 'u' || tag === 'mark') return [];
  return [{ b: 'strong', i: 'em' }[tag] ?? tag];
}

function trimmedBreaks(seen: string[]): string[] {
  const start = seen.findIndex((each) => each !== 'break');
  return start === -1 ? [] : seen.slice(start, seen.findLastIndex((each) => each !== 'break') + 1);
}

/** Renders Markdown with an independent implementation. */
function read(markdown: string): string {
  return Bun.markdown.html(markdown, { tables: true, strikethrough: true, tasklists: true });
}

const words = fc.constantFrom(...'a é 12 ( ) . " “ 😀 !'.split(' '), 'b ', ' c', '1. ', '# ', '- ', '+ ', '= ', '> ');
const signs = fc.constantFrom(
  ...'* ** _ __ ~ ~~ ` [ ] ](x) &lt; &lt;b&gt; &amp;amp; \\ | --- :-'.split(' '),
  ...['\n', '\n\n', '    '],
);
const tag = fc.constantFrom('b', 'strong', 'i', 'em', 'u', 's', 'mark', 'a href="https://x.example/_y_(z)"');
const br = fc.constant('<br>');
const upToSix = { maxLength: 6 };
const tree = fc.letrec<{ html: string; nodes: string }>((tie) => ({
  html: fc
    .array(fc.oneof({ weight: 3, arbitrary: words }, { weight: 2, arbitrary: signs }, br, tie('nodes')), upToSix)
    .map((parts) => parts.join('')),
  nodes: fc.oneof(
    fc.tuple(tag, tie('html')).map(([open, inner]) => `<${open}>${inner}</${open.split(' ')[0]}>`),
    fc.constantFrom('x', 'a `b', '``', ' &lt;b&gt;*', '`').map((code) => `<code>${code}</code>`),
  ),
})).html;

test('the Markdown of a paragraph with any HTML looks the same as the HTML', () => {
  fc.assert(
    fc.property(tree, (text) => {
      const html = read(blocksToMarkdown([{ type: 'paragraph', data: { text } }]));
      expect(html).toMatch(/^(?:<p>[\s\S]*<\/p>\n?)?$/);
      expect(html).not.toMatch(/<\/p>[\s\S]*<p>/);
      const inner = html.replaceAll(/<(\/?)del>/g, '<$1s>').replace(/^<p>|<\/p>\n?$/g, '');
      expect(visibleCharacters(inner)).toEqual(visibleCharacters(text));
    }),
    { numRuns: 3000 },
  );
});
