import { describe, expect, test } from 'bun:test';
import { FORMAT_TAGS, type InlineNode, parseInlineHtml } from './inline-html.ts';

const textOf = (nodes: InlineNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : textOf(node.children))).join('');

describe('parseInlineHtml', () => {
  test.each([...FORMAT_TAGS])('keeps %s without its attributes', (tag) => {
    expect(parseInlineHtml(`a<${tag} class="x" onclick='y'>b</${tag}>c`)).toEqual(['a', { tag, children: ['b'] }, 'c']);
  });

  test('nests overlapping tags as a browser does', () => {
    expect(parseInlineHtml('<b>1<i>2</b>3</i>4')).toEqual([
      { tag: 'b', children: ['1', { tag: 'i', children: ['2'] }] },
      { tag: 'i', children: ['3'] },
      '4',
    ]);
  });
});

describe('a link', () => {
  const hrefOf = (attributes: string) => {
    const [node] = parseInlineHtml(`<a ${attributes}>x</a>`);
    return typeof node === 'object' && node.tag === 'a' ? node.href : null;
  };

  test.each([
    ['href="https://example.com/?a=1&amp;b=2"', 'https://example.com/?a=1&b=2'],
    ["HREF='HTTP://example.com'", 'HTTP://example.com'],
    ['target=_blank href=https://example.com/a/b', 'https://example.com/a/b'],
    ['href = "mailto:a@example.com"', 'mailto:a@example.com'],
    ['title="a > b" href="https://example.com/"', 'https://example.com/'],
    ['href=" https://exam\nple.com/ "', 'https://example.com/'],
    ['href="https://first.example/" href="javascript:x"', 'https://first.example/'],
  ])('with %s is kept', (attributes, href) => {
    expect(hrefOf(attributes)).toBe(href);
  });

  test.each([
    'href="javascript:alert(1)"',
    'href=" JavaScript:alert(1)"',
    'href="java&#10;script:alert(1)"',
    'href="&#106;avascript:alert(1)"',
    'href="\u0001javascript:alert(1)"',
    'href="data:text/html,x"',
    'href="vbscript:x"',
    'href="/settings"',
    'href="//example.com"',
    'href="#top"',
    'href="https:example.com"',
    'href="https://["',
    'href=""',
    'href',
    'data-href="https://example.com"',
    'name="x"',
  ])('with %s is dropped and its text kept', (attributes) => {
    expect(parseInlineHtml(`<a ${attributes}>x</a>`)).toEqual(['x']);
  });

  test('inside another link ends the outer one', () => {
    expect(parseInlineHtml('<a href="https://a.example/">1<a href="https://b.example/">2</a>3</a>')).toEqual([
      { tag: 'a', href: 'https://a.example/', children: ['1'] },
      { tag: 'a', href: 'https://b.example/', children: ['2'] },
      '3',
    ]);
  });
});

describe('everything else is text', () => {
  test.each([
    ['<p class="x">a</p><img src=x onerror=alert(1)>b', 'ab'],
    ['a < b and c > d', 'a < b and c > d'],
    ['I <3 you', 'I <3 you'],
    ['a<', 'a<'],
    ['</ b>', '</ b>'],
    ['a<!-- <b>hidden</b> -->b', 'ab'],
    ['<!DOCTYPE html>a<?xml x?>b', 'ab'],
    ['<script>if (a<b) alert("&amp;")</script>c', 'if (a<b) alert("&")c'],
    ['<STYLE>b { x: y }</style >c', 'b { x: y }c'],
    ['<script>no end <b>', 'no end <b>'],
    ['<custom-tag>a</custom-tag>', 'a'],
    ['<bold>a</bold>', 'a'],
    ['<__proto__>a<constructor>b</constructor>', '<__proto__>ab'],
    ['\u0130<\u0130b>x<b\u0130 y>z', '\u0130<\u0130b>xz'],
    ['<b\u0130>x', 'x'],
  ])('%j is read as %j', (html, text) => {
    expect(parseInlineHtml(html)).toEqual([text]);
  });
});

describe('parsing 256 KiB', () => {
  const pieces = [
    '<',
    '&',
    '<b>',
    '<b><i>',
    '</b>',
    '<b',
    '<b ',
    '<a href="',
    "<b x='",
    '<b x=',
    '<!--',
    '<!',
    '</',
    '&#',
    '&amp',
  ];
  const overlapping = [
    '<i><b></i></b>x',
    '<b><a href="https://x.example">x</b>',
    '<script>',
    '<script></script>',
    '<br>',
    ' ',
    '\n',
  ];
  test.each([...pieces, ...overlapping])('of %j takes linear time and returns a shallow tree', (piece) => {
    const html = piece.repeat((256 * 1024) / piece.length);
    const start = process.threadCpuUsage();
    // Quadratic time would take many seconds, and the recursion of textOf would fail on a deep tree.
    expect(textOf(parseInlineHtml(html)).length).toBeLessThanOrEqual(html.length);
    expect(process.threadCpuUsage(start).user).toBeLessThan(1_500_000);
  });
});
