/** The word of `words` that `typed` was most likely meant to be: one that contains it, or that few letters differ from. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const small = typed.toLowerCase();
  if (small.length < 3 || small.length > 40) return undefined;
  const scored = words.map((word) => ({ word, distance: changes(small, word.toLowerCase()) }));
  const best = scored.sort((a, b) => a.distance - b.distance)[0];
  if (best && best.distance <= Math.ceil(best.word.length / 4)) return best.word;
  return words.find((word) => word.toLowerCase().includes(small));
}

/** The Levenshtein distance: how many letters have to be put in, taken out or exchanged. */
function changes(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const exchanged = (previous[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, exchanged));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
