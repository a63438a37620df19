import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FORMAT_TAGS, type InlineNode, parseInlineHtml } from './inline-html.ts';

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
  formatTag.map((tag) => `<${tag}>`),
  formatTag.map((tag) => `</${tag}>`),
  fc.constantFrom('x', 'y ', '&amp;', '<br>', '</a>', '<div>', '<!-- c -->', '< ', '<a href="javascript:x">'),
  fc.constantFrom('<a href="https://a.example/">', "<a x='>' href=mailto:b@example.com>", '<script>a<b</script>'),
);
const anyHtml = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.oneof(piece, fc.constantFrom('<', '>', '"', "'", '=', '/', '<b', 'href', '<!--', '&#')), {
      maxLength: 40,
    })
    .map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);

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
    fc.record({ kind: fc.constant('open' as const), tag: formatTag }),
    fc.record({ kind: fc.constant('close' as const), tag: formatTag }),
    fc.record({ kind: fc.constant('text' as const), tag: fc.constantFrom('x', 'y', '<', '&') }),
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
          expected.push({
            character: tag,
            tags: [...open].flatMap(([name, count]) => (count > 0 ? [name] : [])).sort(),
          });
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

test('escaped text is decoded to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(parseInlineHtml(escaped)).toEqual([text]);
    }),
  );
});
