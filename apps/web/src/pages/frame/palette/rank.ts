import { single } from 'fuzzysort';

export interface FuzzyMatch {
  /** From 0 to 1. */
  score: number;
  /** The matched parts of the text, in order, as UTF-16 offsets. */
  ranges: readonly (readonly [start: number, end: number])[];
}

/**
 * Returns the text without accents and compatibility differences (NFKD), and the index of the character that each of its
 * UTF-16 units comes from: "É", "ﬁ" and "ß" become "E", "fi" and "ss". A combining mark belongs to the one before it.
 */
function foldedText(text: string): { folded: string; origins: number[] } {
  const origins: number[] = [];
  let [folded, at] = ['', 0];
  for (const char of text) {
    const upper = char.toUpperCase();
    const plain = (upper.length > char.length ? upper.toLowerCase() : char).normalize('NFKD').replaceAll(/\p{M}/gu, '');
    folded += plain;
    for (let n = 0; n < plain.length; n += 1) origins.push(at);
    at += char.length;
  }
  return { folded, origins };
}

/**
 * Returns the best match of a query whose characters all appear in the text, or null. The first one must begin a word,
 * unless the characters are adjacent.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | null {
  const { folded, origins } = foldedText(text);
  const match = single(foldedText(query.trim()).folded, folded);
  if (!match) return null;
  const { score, indexes } = match;
  const [first = 0] = indexes;
  const isAdjacent = (indexes.at(-1) ?? first) - first === indexes.length - 1;
  if (!isAdjacent && !beginsWord(folded, first)) return null;
  const ranges: [number, number][] = [];
  for (const index of indexes) {
    const start = origins[index] ?? 0;
    const end = origins.slice(index).find((origin) => origin > start) ?? text.length;
    const last = ranges.at(-1);
    if (last && last[1] >= start) last[1] = end;
    else ranges.push([start, end]);
  }
  return { score, ranges };
}

function beginsWord(text: string, index: number): boolean {
  const start = /(?<![\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/uy;
  start.lastIndex = index;
  return start.test(text);
}

/** How much a recently used entry is preferred among similar matches. */
const RECENT_BONUS = 0.05;
const MAX_RECENT = 5;
/** More matches than anybody reads. */
const MAX_MATCHES = 50;

interface Entry {
  id: string;
  label: string;
  /** Other names that find the entry. Nothing in them is marked. */
  aliases?: readonly string[];
}

export type Ranked<E> = E & { ranges: FuzzyMatch['ranges']; isRecent: boolean };

/** Returns the matching entries, best first; without a query, recent ones (ids, latest first) come first. */
export function rank<E extends Entry>(entries: readonly E[], query: string, recent: readonly string[]): Ranked<E>[] {
  if (query.trim() === '') {
    const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, MAX_RECENT);
    const rest = entries.filter((entry) => !used.includes(entry));
    return [...used, ...rest].map((entry) => ({ ...entry, ranges: [], isRecent: used.includes(entry) }));
  }
  const prefix = compared(query);
  return entries
    .flatMap((entry) => {
      const isAlias = entry.aliases?.some((alias) => compared(alias).startsWith(prefix));
      const match = fuzzyMatch(query, entry.label) ?? (isAlias ? { score: 0, ranges: [] } : null);
      return match ? [{ entry, match, score: match.score + (recent.includes(entry.id) ? RECENT_BONUS : 0) }] : [];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_MATCHES)
    .map(({ entry, match }) => ({ ...entry, ranges: match.ranges, isRecent: false }));
}

/** An alias is compared without spaces, case and accents. */
function compared(text: string): string {
  return foldedText(text).folded.replaceAll(/\s/g, '').toLowerCase();
}
