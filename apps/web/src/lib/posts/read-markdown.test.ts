import { expect, test } from 'bun:test';
import { htmlReader } from './html-elements.ts';
import { type PostNode, textOf } from './post-tree.ts';
import { readMarkdown as read } from './read-markdown.ts';

const readMarkdown = (text: string) => read(text, undefined, htmlReader);
type Parent = Extract<PostNode, { children: unknown }>;
/** Returns every node with children, those within others included. */
const nodesIn = (nodes: readonly PostNode[]): Parent[] =>
  nodes.flatMap((node) => (typeof node === 'string' || !('children' in node) ? [] : [node, ...nodesIn(node.children)]));
const links = (nodes: readonly PostNode[]) => nodesIn(nodes).flatMap((node) => (node.type === 'link' ? node.href : []));

const HOSTILE = [
  ...[
    '<b>',
    '<details>',
    '<table><tr><td>',
    '<ul><li>',
    '<b><i><s></b></i></s>x',
    '<a href="https://a.example">',
    '</b>',
  ],
  ...[
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
    'plain, ',
  ],
];

test.each(HOSTILE)(
  '40,000 characters of %j take less CPU time than the worker limit of 700 ms, and no text is lost',
  (piece) => {
    const text = `first\n\n${piece.repeat(Math.floor(40_000 / piece.length))}\n\nlast`;
    const start = process.threadCpuUsage();
    const { nodes } = readMarkdown(text);
    const { user, system } = process.threadCpuUsage(start);
    expect(user + system).toBeLessThan(700_000);
    const read = textOf(nodes);
    expect([read.startsWith('first'), read.includes('last')]).toEqual([true, true]);
  },
);

test.each([
  ['a list with unclosed items', '<ul><li>a<li>b</ul>c', 'abc'],
  ['a table with text between rows', '<table>a<tr>b<td>c</td>d</tr></table>e', 'abdce'],
  ['HTML with cells outside a table', '<td>a</td> <tr>b</tr>', 'a b'],
  ['HTML with misnested elements', '<b>a<blockquote>b</b>c</blockquote>d', 'abcd'],
  ['a summary by itself', '<summary>a</summary>', 'a'],
  ['HTML with unclosed elements', '<div><b>a\n\nb', 'ab'],
  ['a footnote', 'a[^1]\n\n[^1]: b', 'a[^1][^1]: b'],
  ['a cell with paragraphs', '<table><tr><td>\n\na\n\nb\n\n</td></tr></table>', 'ab'],
])('%s loses no text', (_, html, text) => {
  expect(textOf(readMarkdown(html).nodes)).toBe(text);
});

test.each([
  ['Title\n===', ['Title']],
  ['first line\nsecond line\n  ---  \ntext', ['first line\nsecond line']],
  ['> quoted\n> ---', ['quoted']],
  ['- item\n  ===', ['item']],
  ['text\n\n---', []],
  ['text\n    ===', []],
  ['text\n# Title\n===', ['Title']],
  ['text\n> quoted\n===', []],
])('%j has the headings %j', (text, headings) => {
  const found = nodesIn(readMarkdown(text).nodes).filter(({ type }) => type === 'heading');
  expect(found.map(({ children }) => textOf(children))).toEqual(headings);
});

const CI = 'https://ci.example.org';

test('a reference in the address of a link is decoded', () =>
  expect(links(readMarkdown(`[a](${CI}/?b=1&amp;c=2)`).nodes)).toEqual([`${CI}/?b=1&c=2`]));

test.each([
  [`“${CI}/b/1”`, [`${CI}/b/1`]],
  [`‘${CI}/b/1’, «${CI}/b/2»`, [`${CI}/b/1`, `${CI}/b/2`]],
  [`{"url":"${CI}/b/1","n":1}`, [`${CI}/b/1`]],
  [`${CI}/b/1— ${CI}/b/2– ${CI}/b/3…`, [`${CI}/b/1`, `${CI}/b/2`, `${CI}/b/3`]],
  [`${CI}/b/1—then`, [`${CI}/b/1`]],
  [`${CI}/b/1，然后 ${CI}/b/2。次 （${CI}/b/3） 「${CI}」`, [`${CI}/b/1`, `${CI}/b/2`, `${CI}/b/3`, `${CI}/`]],
  [`${CI}。次 ${CI}．evil.example ${CI}｡evil.example`, [`${CI}/`, `${CI}/`, `${CI}/`]],
  [`${CI}∕x.evil.example ${CI}…evil.example`, [`${CI}/`, `${CI}/`]],
  [`<${CI}。evil.example>`, []],
  ['www.example.org，然后', ['http://www.example.org/']],
  ['https://[::1]:3000/x, http://127.0.0.1:3000.', ['https://[::1]:3000/x', 'http://127.0.0.1:3000/']],
  [`[${CI}/a_(b)] (${CI}/c) ${CI}/d&amp; ${CI}/e?f=1;`, [`${CI}/a_(b)`, `${CI}/c`, `${CI}/d`, `${CI}/e?f=1`]],
  [`${CI}/Bose–Einstein ${CI}/Hubble’s_law`, [`${CI}/Bose%E2%80%93Einstein`, `${CI}/Hubble%E2%80%99s_law`]],
  [
    `${CI}/東京・大阪 https://例え.テスト/パス`,
    [`${CI}/%E6%9D%B1%E4%BA%AC%E3%83%BB%E5%A4%A7%E9%98%AA`, 'https://xn--r8jz45g.xn--zckzah/%E3%83%91%E3%82%B9'],
  ],
  ['http://my_service:3000/x https://example.org./y', ['http://my_service:3000/x', 'https://example.org./y']],
  ['https://bank.example@evil.example/ https://$HOST/ https://', []],
])('%j links to %j, and shows all of the text', (text, hrefs) => {
  const { nodes } = readMarkdown(text);
  expect(links(nodes)).toEqual(hrefs);
  expect(textOf(nodes)).toBe(text.replace('&amp;', '&'));
});
