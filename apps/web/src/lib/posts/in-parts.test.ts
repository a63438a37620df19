import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { inParts } from './in-parts.ts';
import { type PartNode, type PostNode, textOf } from './post-tree.ts';

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
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀'), maxLength: 12_000 }),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const nodes = texts.map((each) =>
        paragraph(each, { type: 'list', start: null, children: [{ type: 'item', children: [each] }] }),
      );
      const tree = inParts(nodes);
      expect(textOf(tree.nodes)).toBe(textOf(nodes));
      expect(partsOf(tree.nodes).map(({ number }) => number)).toEqual(Array.from({ length: tree.parts }, (_, n) => n));
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

test('the weight of bidirectional controls reflects their rendering cost', () => {
  const tree = inParts([paragraph('\u202ea\u2067b'.repeat(10_000))]);
  const drawnAtOnce = partsOf(tree.nodes).filter(({ children }) => partsOf(children).length === 0);
  const turns = drawnAtOnce.map(({ children }) => textOf(children).match(/[\u202e\u2067]/g)?.length ?? 0);
  expect(turns.reduce((sum, count) => sum + count, 0)).toBe(20_000);
  expect(Math.max(...turns)).toBeLessThan(1_200);
});

test('long code is divided into blocks of whole lines', () => {
  const code = Array.from({ length: 900 }, (_, n) => `line ${n}`).join('\n');
  const tree = inParts([{ type: 'codeBlock', code, language: null, children: [code] }]);
  const blocks = partsOf(tree.nodes)
    .flatMap((part) => part.children)
    .filter((node) => typeof node === 'object' && node.type === 'lines');
  expect(blocks.map((block) => textOf([block])).join('\n')).toBe(code);
});
