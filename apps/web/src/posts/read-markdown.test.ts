import { expect, test } from 'bun:test';
import { textOf } from './node-builder.ts';
import type { PostNode } from './post-tree.ts';
import { readMarkdown } from './read-markdown.ts';

/** Without the parts that a large tree is divided into. */
const whole = (nodes: readonly PostNode[]): PostNode[] =>
  nodes.flatMap((node) => (typeof node === 'object' && node.is === 'part' ? whole(node.children) : [node]));

test.each(['', '> '])(
  'the rows of a table that are too many stand behind it as they were written, within %j',
  (mark) => {
    const row = (n: number) => `|${` r${n} |`.repeat(60)}`;
    const rows = [...Array.from({ length: 140 }, (_, n) => row(n)), '| short |', '|  | two \\| cells|', 'last | row'];
    const text = [row(0), '|-'.repeat(60), ...rows].map((line) => mark + line).join('\n');
    const nodes = whole(readMarkdown(text).nodes);
    const inside = nodes.flatMap((node) =>
      typeof node === 'object' && node.is === 'quote' ? whole(node.children) : node,
    );
    const raw = inside.filter((node) => typeof node === 'object' && node.is === 'raw');
    const left = textOf(raw).split('\n');
    expect(left.length).toBeGreaterThan(3);
    expect(left).toEqual(rows.slice(-left.length));
  },
);

const HOSTILE = [
  '<b>',
  '<details>',
  '<table><tr><td>',
  '<ul><li>',
  '<b><i><s></b></i></s>x',
  '<a href="https://a.example">',
  '</b>',
  '<b',
  '<a b="',
  '<!--',
  '<!-- -->',
  '<p>\n\n',
  '<details>\n\n> ',
  '<td>',
  '<pre>',
  '<x-y>',
  ':a:',
  '&a',
];

test.each(HOSTILE)(
  '40,000 characters of %j take less of the processor than the 700 ms that the worker has, and no letter is lost',
  (piece) => {
    const text = `first\n\n${piece.repeat(Math.floor(40_000 / piece.length))}\n\nlast`;
    const start = process.cpuUsage();
    const { nodes } = readMarkdown(text);
    expect(process.cpuUsage(start).user).toBeLessThan(700_000);
    const read = textOf(nodes);
    expect([read.startsWith('first'), read.includes('last')]).toEqual([true, true]);
  },
);

test.each([
  ['a list whose items are not closed', '<ul><li>a<li>b</ul>c', 'abc'],
  ['text between rows', '<table>a<tr>b<td>c</td>d</tr></table>e', 'abdce'],
  ['cells outside of a table', '<td>a</td> <tr>b</tr>', 'a b'],
  ['elements that end in the wrong order', '<b>a<blockquote>b</b>c</blockquote>d', 'abcd'],
  ['a summary by itself', '<summary>a</summary>', 'a'],
  ['elements that never end', '<div><b>a\n\nb', 'ab'],
  ['paragraphs in a cell', '<table><tr><td>\n\na\n\nb\n\n</td></tr></table>', 'ab'],
])('%s: no text is lost', (_, html, text) => {
  expect(textOf(readMarkdown(html).nodes)).toBe(text);
});
