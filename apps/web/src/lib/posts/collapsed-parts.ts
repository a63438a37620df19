import type { PostNode, PostTree } from './post-tree.ts';

/** How many parts of a collapsed post are drawn. */
const COLLAPSED_PARTS = 5;
/** A table row with many columns takes several parts; this many rows show what the table is about. */
const COLLAPSED_ROWS = 6;
const MAX_PARTS = 28;

/** Returns how many parts of a collapsed post are drawn: more if a wide table comes first, to show whole rows. */
export function collapsedParts({ nodes, parts }: PostTree): number {
  const whole = rowsOf(nodes)
    .slice(0, COLLAPSED_ROWS)
    .filter(({ end }) => end <= MAX_PARTS);
  const isAmongFirst = (whole[0]?.start ?? COLLAPSED_PARTS) < COLLAPSED_PARTS;
  return Math.min(parts, Math.max(COLLAPSED_PARTS, isAmongFirst ? (whole.at(-1)?.end ?? 0) : 0));
}

/** For each table row, returns how many parts have been drawn by its start and by its end. */
function rowsOf(nodes: readonly PostNode[], count = { parts: 0 }): { start: number; end: number }[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return [];
    if (node.type === 'part') count.parts = node.number + 1;
    const start = count.parts;
    const inside = rowsOf(node.children, count);
    return node.type === 'head' || node.type === 'row' ? [{ start, end: count.parts }] : inside;
  });
}
