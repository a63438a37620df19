import { expect, test } from 'bun:test';
import { collapsedParts } from './collapsed-parts.ts';
import { inParts } from './in-parts.ts';
import { type PartNode, type PostNode, textOf } from './post-tree.ts';

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

/** For each table row, returns how many of its cells are drawn when the first `parts` parts are. */
function drawnCells(nodes: readonly PostNode[], parts: number, isThere = true): number[] {
  return nodes.flatMap((node): number[] => {
    if (typeof node === 'string' || !('children' in node)) return [];
    if (node.type === 'head' || node.type === 'row') return [isThere ? countCells(node.children, parts) : 0];
    return drawnCells(node.children, parts, isThere && isDrawn(node, parts));
  });
}
function countCells(nodes: readonly PostNode[], parts: number): number {
  let count = 0;
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue;
    if (node.type === 'cell') count += 1;
    else if (isDrawn(node, parts)) count += countCells(node.children, parts);
  }
  return count;
}
const isDrawn = (node: PostNode, parts: number) =>
  typeof node === 'string' || node.type !== 'part' || (node as PartNode).number < parts;

test('draws several whole rows of a table with many columns', () => {
  const tree = inParts([table(30, 300)]);
  expect(drawnCells(tree.nodes, collapsedParts(tree)).filter((count) => count > 0)).toEqual(Array(6).fill(300));
});

test('draws the rows of a table before anything that follows it', () => {
  const tree = inParts([table(30, 300), text(400)]);
  const parts = collapsedParts(tree);
  expect(tree.nodes.filter((node) => isDrawn(node, parts)).some((node) => textOf([node]).includes('x'))).toBe(false);
  expect(textOf(tree.nodes)).toEndWith('x ');
});

test('draws as many rows as fit when the rows are too long to draw at once', () => {
  const tree = inParts([table(3, 1_000)]);
  expect(drawnCells(tree.nodes, collapsedParts(tree)).filter((count) => count > 0)).toEqual([1_000, 1_000]);
});

test.each([
  ['text', texts],
  ['a table of few columns', [table(400, 3)]],
  ['a wide table far below', [...texts, table(30, 300)]],
])('draws the first five parts of %s', (_, nodes) => {
  const tree = inParts(nodes);
  expect(tree.parts).toBeGreaterThan(5);
  expect(collapsedParts(tree)).toBe(5);
});

test('draws all parts of a post with fewer than five', () => {
  const tree = inParts([text(8_000)]);
  expect(collapsedParts(tree)).toBe(tree.parts);
});
