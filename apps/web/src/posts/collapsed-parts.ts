import type { PostNode, PostTree } from './post-tree.ts';

/** Of what is folded, only the first parts are drawn. */
const COLLAPSED_PARTS = 5;
/** A row of a table with many columns is several parts: so many rows say what it is about. */
const COLLAPSED_ROWS = 6;
const MAX_PARTS = 28;

/** How many parts of a folded post are drawn: those of some whole rows, if a wide table begins among the first. */
export function collapsedParts({ nodes, parts }: PostTree): number {
  const whole = rowsOf(nodes)
    .slice(0, COLLAPSED_ROWS)
    .filter(({ end }) => end <= MAX_PARTS);
  const isAmongFirst = (whole[0]?.start ?? COLLAPSED_PARTS) < COLLAPSED_PARTS;
  return Math.min(parts, Math.max(COLLAPSED_PARTS, isAmongFirst ? (whole.at(-1)?.end ?? 0) : 0));
}

/** For each row of a table, how many parts are drawn where it begins, and once it is whole. */
function rowsOf(nodes: readonly PostNode[], drawn = { parts: 0 }): { start: number; end: number }[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return [];
    if (node.is === 'part') drawn.parts = node.number + 1;
    const start = drawn.parts;
    const inside = rowsOf(node.children, drawn);
    return node.is === 'head' || node.is === 'row' ? [{ start, end: drawn.parts }] : inside;
  });
}
