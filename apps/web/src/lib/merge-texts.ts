import { diff3Merge, diffIndices } from 'node-diff3';

/** The lines that a change removed and added at one place. */
export interface LineChange {
  removed: readonly string[];
  added: readonly string[];
}

/**
 * The work that a comparison may take: about 50 ms, since texts are compared again with each character that the user
 * types. node-diff3 takes up to as many steps for each pair of equal lines as there are lines. Beyond this, all lines
 * between the first and the last difference count as changed: from about 2,000 different lines or 150 equal ones on.
 */
const MAX_STEPS = 5_000_000;
/** Longer arrays could not be passed as arguments, as node-diff3 does. */
const MAX_LINES = 50_000;

/** Returns the places where a text was changed, each with the lines removed and added there. */
export function changedLines(from: string, to: string): readonly LineChange[] {
  const { middles } = withoutCommonEnds([from, to].map((text) => (text === '' ? [] : text.split('\n'))));
  const [removed = [], added = []] = middles;
  if (removed.length === 0 && added.length === 0) return [];
  if (isTooMuch(removed, added)) return [{ removed, added }];
  return diffIndices(removed, added).map((change) => ({
    removed: change.buffer1Content,
    added: change.buffer2Content,
  }));
}

/**
 * Merges two changed versions of a text by lines. Where both changed the same lines in different ways, or added lines at
 * the same place, the result has their lines, then mine, and is not clean.
 */
export function mergeTexts(base: string, mine: string, theirs: string): { text: string; isClean: boolean } {
  if (mine === base || mine === theirs) return { text: theirs, isClean: true };
  const { start, middles, end } = withoutCommonEnds([base, mine, theirs].map((text) => text.split('\n')));
  const [o = [], a = [], b = []] = middles;
  const regions: MergeRegion[] = isTooMuch(o, a) || isTooMuch(o, b) ? [{ conflict: { a, o, b } }] : diff3Merge(a, o, b);
  let isClean = true;
  const merged = regions.flatMap(({ ok, conflict }) => {
    const lines = ok ?? (conflict && inPlace(conflict));
    if (lines) return lines;
    isClean = false;
    return conflict ? [...conflict.b, ...conflict.a] : [];
  });
  return { text: [...start, ...merged, ...end].join('\n'), isClean };
}

interface MergeRegion {
  ok?: readonly string[];
  conflict?: Conflict;
}

type Conflict = Readonly<Record<'a' | 'o' | 'b', readonly string[]>>;

/**
 * Merges line by line where both only changed lines: node-diff3 regards changes of adjoining lines, such as tasks, as a
 * conflict. Returns null if both changed the same line in different ways.
 */
function inPlace({ a, o, b }: Conflict): readonly string[] | null {
  if (a.length !== o.length || b.length !== o.length) return null;
  const lines = o.flatMap((line, n) => (a[n] === line || a[n] === b[n] ? b[n] : b[n] === line ? a[n] : null) ?? []);
  return lines.length === o.length ? lines : null;
}

function isTooMuch(from: readonly string[], to: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const line of to) counts.set(line, (counts.get(line) ?? 0) + 1);
  const pairs = from.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
  const [min, max] = [Math.min(from.length, to.length), Math.max(from.length, to.length)];
  return max > MAX_LINES || pairs * min > MAX_STEPS;
}

/** Returns the lines with which all texts begin, those with which all end, and what each has between them. */
function withoutCommonEnds(texts: readonly string[][]) {
  const [first = []] = texts;
  const min = Math.min(...texts.map(({ length }) => length));
  let start = 0;
  while (start < min && texts.every((text) => text[start] === first[start])) start += 1;
  let end = 0;
  while (end < min - start && texts.every((text) => text[text.length - 1 - end] === first[first.length - 1 - end]))
    end += 1;
  return {
    start: first.slice(0, start),
    middles: texts.map((text) => text.slice(start, text.length - end)),
    end: first.slice(first.length - end),
  };
}
