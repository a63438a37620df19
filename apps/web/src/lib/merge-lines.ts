/** A changed part of a text: its lines from `start` to before `end` became `lines`. */
interface LineChange {
  start: number;
  end: number;
  lines: readonly string[];
}

/** Returns the smallest part of a text that contains all changed lines. */
function changeOf(from: readonly string[], to: readonly string[]): LineChange {
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start += 1;
  let same = 0;
  const most = Math.min(from.length, to.length) - start;
  while (same < most && from[from.length - 1 - same] === to[to.length - 1 - same]) same += 1;
  return { start, end: from.length - same, lines: to.slice(start, to.length - same) };
}

/** Returns the lines that a change removed and added. Lines between two changed ones count as changed. */
export function changedLines(from: string, to: string): { removed: string; added: string } {
  const lines = from.split('\n');
  const change = changeOf(lines, to.split('\n'));
  return { removed: lines.slice(change.start, change.end).join('\n'), added: change.lines.join('\n') };
}

/**
 * Merges two changed versions of a text by lines. Lines that both added at the same place follow each other.
 * Returns null if both changed the same lines.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs) return mine;
  const lines = base.split('\n');
  const [one, other] = [changeOf(lines, theirs.split('\n')), changeOf(lines, mine.split('\n'))];
  const [first, second] = one.end <= other.start ? [one, other] : [other, one];
  if (first.end > second.start) return null;
  return [
    ...lines.slice(0, first.start),
    ...first.lines,
    ...lines.slice(first.end, second.start),
    ...second.lines,
    ...lines.slice(second.end),
  ].join('\n');
}
