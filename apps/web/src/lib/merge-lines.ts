/** A changed part of a text: its lines from `start` to before `end` became those from `newStart` to before `newEnd`. */
interface Range {
  start: number;
  end: number;
  newStart: number;
  newEnd: number;
}

/** The lines that a change removed and added at one place. */
export interface LineChange {
  removed: readonly string[];
  added: readonly string[];
}

/**
 * The work that a comparison may take: about 40 ms. Texts have up to 200,000 lines and are compared again with each
 * character that the user types. This is enough for about 700 replaced lines, or twice as many removed or added ones.
 */
const MAX_STEPS = 1_000_000;

/** Returns the smallest part of a text that contains all changed lines. */
function wholeRange(from: readonly string[], to: readonly string[]): Range {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let same = 0;
  while (same < most - start && from[from.length - 1 - same] === to[to.length - 1 - same]) same += 1;
  return { start, end: from.length - same, newStart: start, newEnd: to.length - same };
}

/**
 * Returns how to get from one text to the other with the fewest lines removed and added: "An O(ND) Difference Algorithm
 * and Its Variations" by E. Myers, 1986. If that takes too many steps, all lines from the first to the last changed one
 * are one range.
 *
 * Lines that could be added or removed at several places, such as an empty line among others, are always the last of
 * them. So a change that two users both made has the same range in both texts, even if one of them also changed lines
 * before or after it. This is also why the common end is not removed first.
 */
function changedRanges(from: readonly string[], to: readonly string[]): Range[] {
  // The item at `i` of the row at `d` is the number of lines of `from` that are passed after removing `i` lines and
  // adding `d - i`, and then following equal lines. It is the greatest possible.
  const rows: number[][] = [];
  let steps = 0;
  for (let d = 0; ; d += 1) {
    const row: number[] = [];
    const last = rows.at(-1) ?? [];
    rows.push(row);
    for (let i = 0; i <= d; i += 1) {
      let x = Math.max(removing(last, i), adding(last, i));
      let y = x + d - 2 * i;
      for (; x < from.length && y < to.length && from[x] === to[y]; x += 1, y += 1) steps += 1;
      steps += 1;
      if (x >= from.length && y >= to.length) return rangesOf(rows, i);
      if (steps > MAX_STEPS) return [wholeRange(from, to)];
      row.push(x);
    }
  }
}

/** Return the number of lines that are passed after one more edit, before any equal lines. */
const removing = (last: readonly number[], i: number): number => (i > 0 ? (last[i - 1] ?? 0) + 1 : 0);
const adding = (last: readonly number[], i: number): number => (i < last.length ? (last[i] ?? 0) : 0);

/** Follows the edits from the last to the first. Those that touch are one range. */
function rangesOf(rows: number[][], removed: number): Range[] {
  const ranges: Range[] = [];
  let i = removed;
  for (let d = rows.length - 1; d > 0; d -= 1) {
    const last = rows[d - 1] ?? [];
    const isRemoval = removing(last, i) > adding(last, i);
    const end = Math.max(removing(last, i), adding(last, i));
    const newEnd = end + d - 2 * i;
    const [start, newStart] = isRemoval ? [end - 1, newEnd] : [end, newEnd - 1];
    const next = ranges[0];
    if (next?.start === end && next.newStart === newEnd) ranges[0] = { ...next, start, newStart };
    else ranges.unshift({ start, end, newStart, newEnd });
    if (isRemoval) i -= 1;
  }
  return ranges;
}

/** Returns the places where a text was changed, each with the lines removed and added there. */
export function changedLines(from: string, to: string): LineChange[] {
  const [before, after] = [from, to].map((text) => (text === '' ? [] : text.split('\n'))) as [string[], string[]];
  return changedRanges(before, after).map(({ start, end, newStart, newEnd }) => ({
    removed: before.slice(start, end),
    added: after.slice(newStart, newEnd),
  }));
}

/**
 * Merges two changed versions of a text by lines. Lines that both added at the same place follow each other, and a
 * change that both made counts once. Returns null if both changed the same lines in different ways.
 */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  const lines = base.split('\n');
  const changes = [theirs, mine]
    .flatMap((text) => {
      const changed = text.split('\n');
      return changedRanges(lines, changed).map(({ start, end, newStart, newEnd }) => ({
        start,
        end,
        added: changed.slice(newStart, newEnd),
      }));
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: string[][] = [];
  let position = 0;
  for (const [index, { start, end, added }] of changes.entries()) {
    const last = changes[index - 1];
    const isSameRange = last?.start === start && last.end === end;
    if (isSameRange && last.added.length === added.length && last.added.every((line, at) => line === added[at]))
      continue;
    if (start < position) return null;
    merged.push(lines.slice(position, start), added);
    position = end;
  }
  return [...merged.flat(), ...lines.slice(position)].join('\n');
}
