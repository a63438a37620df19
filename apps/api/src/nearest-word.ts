/**
 * The word of `words` that was most likely meant by `typed`, or `undefined` if none is near: at most a third of its
 * characters, and never more than three, have to be changed (Levenshtein distance, ignoring case).
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  if (typed.length > 64) return undefined;
  const scored = words.map((word) => ({ word, distance: levenshtein(typed.toLowerCase(), word.toLowerCase()) }));
  const best = scored.sort((a, b) => a.distance - b.distance)[0];
  if (!best) return undefined;
  return best.distance <= Math.min(3, Math.ceil(best.word.length / 3)) ? best.word : undefined;
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
