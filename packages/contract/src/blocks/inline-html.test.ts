import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { decodeEntities } from './html-entities.ts';
import { FORMAT_TAGS, type InlineNode, parseInlineHtml } from './inline-html.ts';

const textOf = (nodes: InlineNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.tag === 'br' ? '\n' : textOf(node.children))).join('');

test('formats are kept without their attributes', () => {
  for (const tag of FORMAT_TAGS) {
    expect(parseInlineHtml(`a<${tag} class="x" onclick='y'>b</${tag}>c`)).toEqual(['a', { tag, children: ['b'] }, 'c']);
  }
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
    ...[
      'href="data:text/html,x"',
      `href="javascript:'https://example.com'"`,
      'href="/settings"',
      'href="#top"',
      'href',
    ],
    ...['href="//example.com"', 'href="https:example.com"', 'href="https://["', 'data-href="https://example.com"'],
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
    ['I <3 you</ b><', 'I <3 you</ b><'],
    ['a<!-- <b>hidden</b> -->b', 'ab'],
    ['<!DOCTYPE html>a<?xml x?>b', 'ab'],
    ['<script>if (a<b) alert("&amp;")</script>c', 'if (a<b) alert("&")c'],
    ['<STYLE>b { x: y }</style >c', 'b { x: y }c'],
    ['<script>no end <b>', 'no end <b>'],
    ['<bold>a</bold>', 'a'],
    ['<__proto__>a<constructor>b</constructor>', '<__proto__>ab'],
    ['\u0130<\u0130b>x<b\u0130 y>z', '\u0130<\u0130b>xz'],
    ['<b\u0130>x', 'x'],
  ])('%j is read as %j', (html, text) => {
    expect(parseInlineHtml(html)).toEqual([text]);
  });
});

describe('parsing 256 KiB', () => {
  const pieces = '< & <b> <b><i> </b> <b <!-- <! </ &# &amp <i><b></i></b>x <script> <script></script> <br>'.split(' ');
  const spaced = ['<b ', '<a href="', "<b x='", '<b x=', '<b><a href="https://x.example">x</b>', ' ', '\n'];
  test.each([...pieces, ...spaced])('of %j takes linear time and returns a shallow tree', (piece) => {
    const html = piece.repeat((256 * 1024) / piece.length);
    const start = process.threadCpuUsage();
    // Quadratic time would take many seconds, and the recursion of textOf would fail on a deep tree.
    expect(textOf(parseInlineHtml(html)).length).toBeLessThanOrEqual(html.length);
    expect(process.threadCpuUsage(start).user).toBeLessThan(1_500_000);
  });
});

interface Run {
  character: string;
  tags: string[];
}

/** Returns each character with the set of elements around it: the visible result, regardless of the nesting. */
function runsOf(nodes: readonly InlineNode[], around: string[] = []): Run[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [...node].map((character) => ({ character, tags: [...around].sort() }));
    if (node.tag === 'br') return [{ character: '\n', tags: [...around].sort() }];
    return runsOf(node.children, [...around, node.tag === 'a' ? node.href : node.tag]);
  });
}

function depthOf(nodes: readonly InlineNode[]): number {
  const below = nodes.map((node) => (typeof node === 'string' || node.tag === 'br' ? 0 : 1 + depthOf(node.children)));
  return Math.max(0, ...below);
}

function everyElement(nodes: readonly InlineNode[], holds: (node: Exclude<InlineNode, string>) => boolean): boolean {
  return nodes.every(
    (node) => typeof node === 'string' || (holds(node) && (node.tag === 'br' || everyElement(node.children, holds))),
  );
}

const formatTag = fc.constantFrom(...FORMAT_TAGS);
const piece = fc.oneof(
  fc.constantFrom(...FORMAT_TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`])),
  fc.constantFrom('x', 'y ', '&amp;', '<br>', '</a>', '<div>', '<!-- c -->', '< ', '<a href="javascript:x">'),
  fc.constantFrom('<a href="https://a.example/">', "<a x='>' href=mailto:b@example.com>", '<script>a<b</script>'),
);
const fragment = fc.constantFrom('<', '>', '"', "'", '=', '/', '<b', 'href', '<!--', '&#');
const htmlOf = (part: fc.Arbitrary<string>) => fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
const anyHtml = fc.oneof(htmlOf(piece), htmlOf(fc.oneof(piece, fragment)), fc.string({ unit: 'binary' }));

test('any string is parsed into allowed elements only, none empty or inside another of its kind, at most nine levels deep', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      const nodes = parseInlineHtml(html);
      expect(depthOf(nodes)).toBeLessThanOrEqual(FORMAT_TAGS.length + 1);
      const isAllowed = (node: Exclude<InlineNode, string>) => {
        if (node.tag === 'br') return true;
        if (node.children.length === 0) return false;
        return node.tag === 'a' ? /^(https?:\/\/|mailto:)/.test(node.href) : FORMAT_TAGS.includes(node.tag);
      };
      expect(everyElement(nodes, isAllowed)).toBe(true);
      for (const { tags } of runsOf(nodes)) expect(new Set(tags).size).toBe(tags.length);
    }),
    { numRuns: 2000 },
  );
});

test('every character has exactly the formats whose tags are open at its position, even if they overlap', () => {
  const token = fc.oneof(
    fc.record({ kind: fc.constantFrom('open', 'close'), tag: formatTag }),
    fc.record({ kind: fc.constant('text'), tag: fc.constantFrom('x', 'y', '<', '&') }),
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
      const open = new Map<string, number>();
      const expected: Run[] = [];
      let html = '';
      for (const { kind, tag } of tokens) {
        const times = open.get(tag) ?? 0;
        if (kind === 'text') {
          html += tag === '<' ? '&lt;' : tag === '&' ? '&amp;' : tag;
          const tags = [...open].flatMap(([name, count]) => (count > 0 ? [name] : [])).sort();
          expected.push({ character: tag, tags });
        } else {
          html += kind === 'open' ? `<${tag}>` : `</${tag}>`;
          open.set(tag, kind === 'open' ? times + 1 : Math.max(0, times - 1));
        }
      }
      expect(runsOf(parseInlineHtml(html))).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['&amp;&lt;&gt;&quot;&#39;&apos;&nbsp;', `&<>"''\u00a0`],
  ['&#8364;&#x20AC;&#X20ac;&euro;&#128512;&#x1F600;', '€€€€😀😀'],
  ['&amp;lt;', '&lt;'],
  ['&#150;&#146;', '–’'],
  ['&#0;&#xD83D;&#x110000;&#9999999;', '\ufffd\ufffd\ufffd\ufffd'],
  ...'& &; &amp &#; &#x; &#87654321; &#x1234567; &unknown; &AMP; &toString; &__proto__; R&D;'
    .split(' ')
    .map((text): [string, string] => [text, text]),
])('character references in %s are decoded once: %s', (html, text) => {
  expect(decodeEntities(html)).toBe(text);
});
