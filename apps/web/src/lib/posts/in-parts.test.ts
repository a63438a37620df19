import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { collapsedParts, inParts } from './in-parts.ts';
import { type PartNode, type PostNode, textOf } from './post-tree.ts';

describe('the parts of a post', () => {
  function partsOf(nodes: readonly PostNode[]): PartNode[] {
    return nodes.flatMap((node) => {
      if (typeof node === 'string' || !('children' in node)) return [];
      return node.type === 'part' ? [node, ...partsOf(node.children)] : partsOf(node.children);
    });
  }
  const paragraph = (...children: PostNode[]): PostNode => ({ type: 'paragraph', children });

  test('a small post has no parts and stays unchanged', () => {
    const nodes = [paragraph('Hello ', { type: 'strong', children: ['world'] })];
    expect(inParts(nodes)).toEqual({ nodes, parts: 0 });
  });

  test('a large post loses no characters, and its parts are numbered in order', () => {
    const long = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀'), maxLength: 12_000 });
    const text = fc.oneof(fc.string({ unit: 'binary' }), long);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const nodes = texts.map((each) =>
          paragraph(each, { type: 'list', start: null, children: [{ type: 'item', children: [each] }] }),
        );
        const tree = inParts(nodes);
        expect(textOf(tree.nodes)).toBe(textOf(nodes));
        const numbers = partsOf(tree.nodes).map(({ number }) => number);
        expect(numbers).toEqual(numbers.map((_, n) => n));
        expect(numbers).toHaveLength(tree.parts);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['one long text', ['x'.repeat(40_000)]],
    ['short lines', ['a\n'.repeat(20_000)]],
    ['many nodes', Array.from({ length: 6_000 }, (): PostNode => ({ type: 'em', children: ['a'] }))],
  ])('a paragraph with %s becomes several paragraphs, in parts small enough for one frame', (_, children) => {
    const tree = inParts([paragraph(...children)]);
    expect(tree.parts).toBeGreaterThan(3);
    expect(partsOf(tree.nodes).flatMap((part) => part.children)[0]).toMatchObject({ type: 'paragraph' });
    for (const { children: inner } of partsOf(tree.nodes)) {
      expect(inner.length).toBeLessThanOrEqual(240);
      for (const node of inner) if (typeof node === 'string') expect(node.length).toBeLessThanOrEqual(4_000);
    }
  });
});

const cells = (count: number): PostNode[] =>
  Array.from({ length: count }, () => ({ type: 'cell', isHead: false, align: null, children: ['a'] }));
const table = (rows: number, columns: number): PostNode => ({
  type: 'table',
  children: [
    { type: 'head', children: cells(columns) },
    { type: 'body', children: Array.from({ length: rows }, () => ({ type: 'row', children: cells(columns) })) },
  ],
});
const text = (length: number): PostNode => ({ type: 'paragraph', children: ['x '.repeat(length / 2)] });
const texts = Array.from({ length: 5 }, () => text(16_000));

test.each([
  ['text', texts],
  ['a table of few columns', [table(400, 3)]],
  ['a wide table far below', [...texts, table(30, 300)]],
])('a collapsed post draws the first five parts of %s', (_, nodes) => {
  const tree = inParts(nodes);
  expect(tree.parts).toBeGreaterThan(5);
  expect(collapsedParts(tree)).toBe(5);
});
