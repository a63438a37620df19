const MAX_TYPED_LENGTH = 64;
const MAX_EDITS = 2;
/** Any shorter part of a word, or start of one, is too ambiguous. */
const MIN_PART_LENGTH = 4;
const MIN_START_LENGTH = 3;

/**
 * Returns the word that `typed` was most likely meant to be, ignoring case, or `undefined`: the nearest word if it is at
 * most two edits away, and no more than one for every three of its characters; otherwise the only word that contains
 * `typed`. A looser bound guesses words of another meaning, such as `rotate` for `create`.
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED_LENGTH) return undefined;
  const lower = typed.toLowerCase();
  let nearest: string | undefined;
  let minEdits = MAX_EDITS + 1;
  for (const word of words) {
    const edits = distance(lower, word.toLowerCase());
    if (edits < minEdits && edits <= maxEdits(word)) [nearest, minEdits] = [word, edits];
  }
  return nearest ?? onlyWordWith(lower, words);
}

/** Allows no edits in a word of two characters: a single change makes it a different word. */
function maxEdits({ length }: string): number {
  return Math.min(MAX_EDITS, Math.floor(length / 3));
}

function onlyWordWith(part: string, words: readonly string[]): string | undefined {
  const [first, ...others] = words.filter((word) => {
    const index = word.toLowerCase().indexOf(part);
    return index >= 0 && part.length >= (index === 0 ? MIN_START_LENGTH : MIN_PART_LENGTH);
  });
  return others.length === 0 ? first : undefined;
}

/** Levenshtein distance, in which two characters in the wrong order are one edit (optimal string alignment). */
function distance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution, swap));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[to.length] ?? 0;
}
