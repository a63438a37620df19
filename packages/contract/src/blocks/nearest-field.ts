const MOST_EDITS = 2;

/** The field that `word` most likely was meant to be: at most two edits away and not wholly another word; or null. */
export function nearestField(word: string, fields: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = MOST_EDITS + 1;
  for (const field of fields) {
    // Lengths further apart than the edits allowed need no look, so a long word costs nothing.
    if (Math.abs(word.length - field.length) > MOST_EDITS) continue;
    const edits = editDistance(word.toLowerCase(), field);
    if (edits < least && edits < field.length - 1) {
      least = edits;
      nearest = field;
    }
  }
  return nearest;
}

/** Levenshtein's distance: how many characters must be put in, taken out or replaced to turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
