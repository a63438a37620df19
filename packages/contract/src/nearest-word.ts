const MAX_TYPED_LENGTH = 64;
const MAX_EDITS = 3;
/** Any shorter part of a word is too ambiguous. */
const MIN_PART_LENGTH = 4;

/**
 * Returns the word that `typed` was most likely meant to be, ignoring case, or `undefined`: the nearest word if at most
 * a third of its characters, and no more than three, differ (Levenshtein distance); otherwise the only word that
 * contains `typed`.
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED_LENGTH) return undefined;
  const lower = typed.toLowerCase();
  let nearest: string | undefined;
  let minEdits = MAX_EDITS + 1;
  for (const word of words) {
    const edits = levenshtein(lower, word.toLowerCase());
    if (edits < minEdits && edits <= maxEdits(word)) [nearest, minEdits] = [word, edits];
  }
  return nearest ?? onlyWordWith(lower, words);
}

/** Allows no edits in a word of two characters: a single change makes it a different word. */
function maxEdits({ length }: string): number {
  return Math.max(0, Math.min(MAX_EDITS, Math.ceil(length / 3), length - 2));
}

function onlyWordWith(part: string, words: readonly string[]): string | undefined {
  if (part.length < MIN_PART_LENGTH) return undefined;
  const [first, ...others] = words.filter((word) => word.toLowerCase().includes(part));
  return others.length === 0 ? first : undefined;
}

function levenshtein(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
