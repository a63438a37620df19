/** A match of a query in a text. */
export interface FuzzyMatch {
  /** Higher is better. */
  score: number;
  /** The matched parts of the text, in order, as UTF-16 offsets. */
  ranges: readonly (readonly [start: number, end: number])[];
}

/** A text prepared for comparing: one entry per compared character. */
interface ComparableText {
  chars: readonly string[];
  /** The part of the text that each character comes from, as UTF-16 offsets. */
  starts: readonly number[];
  ends: readonly number[];
  /** Whether each character begins a word, or is a symbol. */
  beginsWord: readonly boolean[];
  length: number;
}

const AT_START = 12;
const AT_WORD = 8;
const IN_A_ROW = 6;
/** Skipped characters cost this much each, up to a limit. */
const SKIPPED = 0.5;
const MAX_SKIPPED = 4;
/** Shorter texts come first among equals. */
const PER_CHARACTER = 0.02;

/**
 * Removes case, accents and compatibility differences (NFKD), and remembers where each character comes from: "É" and
 * "ﬁ" match "e" and "fi". Combining marks belong to the character before them, and spaces only end a word.
 */
export function comparable(text: string): ComparableText {
  const chars: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const beginsWord: boolean[] = [];
  let at = 0;
  let isInWord = false;
  for (const char of text) {
    const end = at + char.length;
    const plainChars = plain(char);
    // A combining mark is highlighted with its letter.
    if (plainChars === '' && ends.length > 0) ends[ends.length - 1] = end;
    for (const [n, one] of [...plainChars].entries()) {
      const isWord = /[\p{L}\p{N}]/u.test(one);
      if (one.trim() === '') {
        isInWord = false;
        continue;
      }
      const isCapital = n === 0 && /\p{Lu}/u.test(char) && /\p{Ll}/u.test(text.slice(0, at).at(-1) ?? '');
      chars.push(one);
      starts.push(at);
      ends.push(end);
      beginsWord.push(!isWord || !isInWord || isCapital);
      isInWord = isWord;
    }
    at = end;
  }
  return { chars, starts, ends, beginsWord, length: text.length };
}

/** Upper case first: "ß" becomes "ss", and both forms of sigma become the same. */
function plain(char: string): string {
  return char.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

/**
 * Returns the best match of a query whose characters all appear in the text in this order, or null. The first one must
 * begin a word, unless the characters are adjacent. Starts of words and adjacent characters score highest.
 */
export function fuzzyMatch({ chars: query }: ComparableText, text: ComparableText): FuzzyMatch | null {
  const { chars } = text;
  if (query.length === 0) return { score: 0, ranges: [] };
  if (query.length > chars.length) return null;
  // best[n]: the best score of the query so far if its last character is at n; from[row][n]: where the one before is.
  let best = chars.map((char, n) => (char === query[0] ? startBonus(text, n) : -Infinity));
  const from: number[][] = [];
  for (const character of query.slice(1)) {
    const next: number[] = [];
    const came: number[] = [];
    for (let n = 0; n < chars.length; n += 1) {
      let [score, before] = [-Infinity, -1];
      if (chars[n] === character) {
        for (let m = 0; m < n; m += 1) {
          const bonus = wordBonus(text, n);
          const isNext = m === n - 1;
          const step = isNext ? Math.max(IN_A_ROW, bonus) : bonus - Math.min(SKIPPED * (n - m - 1), MAX_SKIPPED);
          const sum = (best[m] ?? -Infinity) + step;
          if (sum > score) [score, before] = [sum, m];
        }
      }
      next.push(score);
      came.push(before);
    }
    best = next;
    from.push(came);
  }
  const loose = bestOf(best, from, (first) => text.beginsWord[first] === true);
  const match = loose ?? bestOf(best, from, (first, last) => last - first === query.length - 1);
  if (!match) return null;
  return { score: match.score - PER_CHARACTER * text.length, ranges: rangesOf(match.path, text) };
}

function startBonus(text: ComparableText, n: number): number {
  return n === 0 ? AT_START : wordBonus(text, n);
}

function wordBonus({ beginsWord }: ComparableText, n: number): number {
  return beginsWord[n] ? AT_WORD : 0;
}

/** Returns the best path whose first and last character fit. */
function bestOf(
  best: readonly number[],
  from: readonly (readonly number[])[],
  fits: (first: number, last: number) => boolean,
): { score: number; path: number[] } | null {
  const ends = [...best.keys()].filter((n) => best[n] !== -Infinity);
  for (const last of ends.toSorted((one, other) => (best[other] ?? 0) - (best[one] ?? 0))) {
    const path = [last];
    for (const came of from.toReversed()) path.unshift(came[path[0] ?? 0] ?? 0);
    if (fits(path[0] ?? 0, last)) return { score: best[last] ?? 0, path };
  }
  return null;
}

function rangesOf(path: readonly number[], { starts, ends }: ComparableText): [number, number][] {
  const ranges: [number, number][] = [];
  for (const n of path) {
    const [start, end] = [starts[n] ?? 0, ends[n] ?? 0];
    const last = ranges.at(-1);
    if (last && last[1] >= start) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** How much a recently used entry is preferred among similar matches. */
const RECENT_BONUS = 3;
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
  const words = comparable(query);
  if (words.chars.length === 0) {
    const used = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, MAX_RECENT);
    const rest = entries.filter((entry) => !used.includes(entry));
    const unmarked = (list: readonly E[], isRecent: boolean) =>
      list.map((entry) => ({ ...entry, ranges: [], isRecent }));
    return [...unmarked(used, true), ...unmarked(rest, false)];
  }
  return entries
    .flatMap((entry) => {
      const match = fuzzyMatch(words, comparable(entry.label)) ?? aliasMatch(words, entry.aliases ?? []);
      return match ? [{ entry, match, score: match.score + (recent.includes(entry.id) ? RECENT_BONUS : 0) }] : [];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_MATCHES)
    .map(({ entry, match }) => ({ ...entry, ranges: match.ranges, isRecent: false }));
}

/** Returns a match if an alias begins with the query. Nothing is marked, since aliases are not shown. */
function aliasMatch(query: ComparableText, aliases: readonly string[]): FuzzyMatch | null {
  const prefix = query.chars.join('');
  const isFound = aliases.some((alias) => comparable(alias).chars.join('').startsWith(prefix));
  return isFound ? { score: 0, ranges: [] } : null;
}
