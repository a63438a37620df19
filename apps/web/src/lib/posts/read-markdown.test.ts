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
  ...'<b>|<details>|<table><tr><td>|<ul><li>|<b><i><s></b></i></s>x|<a href="https://a.example">|</b>|<b'.split('|'),
  ...'<a b="|<!--|<!-- -->|<p>\n\n|<details>\n\n> |<td>|<pre>|<x-y>|:a:|&a|&amp;&#x41;'.split('|'),
  ...['*a ', '*a _b **c ', 'plain, '],
];

test.each(HOSTILE)(
  '40,000 characters of %j take less CPU time than the 700 ms of the worker, and lose no text',
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

/** Writes nodes as elements, in the order of their children, with the number or the alignment that they have. */
const written = (nodes: readonly PostNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const { type, children = [], start, align } = { start: null, align: null, children: [], ...node };
      return `<${[type, start ?? align ?? ''].join(' ').trim()}>${written(children)}</${type}>`;
    })
    .join('');

test.each([
  ['[a](/hubs/x) [b](//evil.example)', '<paragraph>[a](/hubs/x) [b](//evil.example)</paragraph>'],
  ['<b onclick="x">a</b> &amp; &copy;', '<paragraph><strong>a</strong> & ©</paragraph>'],
  ['<x-y onclick="x">a</x-y>', '<paragraph><x-y onclick="x">a</x-y></paragraph>'],
  ['<form>\n*a*\n</form>', '<raw><form>\n*a*\n</form></raw>'],
  ['<div>\n*a*\n</div>', '<paragraph>*a*</paragraph>'],
  ['a <!-- b -->c\n\n<!--\nd\n\ne\n-->\n\nf', '<paragraph>a c</paragraph><paragraph>f</paragraph>'],
  ['<b>a<i>b</b>c</i>', '<paragraph><strong>a<em>b</em></strong><em>c</em></paragraph>'],
  ['<ul><li>a<li>b <code>c</code></ul>', '<list><item>a</item><item>b <code>c</code></item></list>'],
  ['<table><tr><td align="right">b</td></tr></table>', '<table><body><row><cell right>b</cell></row></body></table>'],
  ['<a href="https://a.example"><b>a</b></a>', '<paragraph><link><strong>a</strong></link></paragraph>'],
  ['<a href="javascript:x">a</a> <a name="b">c</a>', '<paragraph>a c</paragraph>'],
  ['&#87654321; \\:tada: `:tada:`', '<paragraph>&#87654321; :tada: <code>:tada:</code></paragraph>'],
  ['#\n\na', '<paragraph>a</paragraph>'],
  ['> [!NOTE] a', '<quote><paragraph>[!NOTE] a</paragraph></quote>'],
  ['\u001b[31mred\u001b[0m', '<paragraph>red</paragraph>'],
  ['3. a\n4. b', '<list 3><item>a</item><item>b</item></list>'],
])('%j is read as %j', (text, nodes) => expect(written(readMarkdown(text).nodes)).toBe(nodes));

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
  ['http://🍄.ga/ [link](https://a.example ((title))', ['http://xn--ei8h.ga/', 'https://a.example/']],
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
