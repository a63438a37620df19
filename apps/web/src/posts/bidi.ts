const CONTROL = /[\u202a-\u202e\u2066-\u2069]/g;
const CLOSE_EMBEDDING = '\u202c';
const CLOSE_ISOLATE = '\u2069';

/**
 * The text with what it lacks to end every change of direction that it begins (Unicode UAX #9, explicit formatting): what
 * follows is not turned by it.
 */
export function closeBidi(text: string): string {
  const open: string[] = [];
  for (const [control] of text.matchAll(CONTROL)) {
    if (control === CLOSE_ISOLATE) {
      const isolate = open.lastIndexOf(CLOSE_ISOLATE);
      if (isolate !== -1) open.length = isolate;
    } else if (control === CLOSE_EMBEDDING) {
      if (open.at(-1) === CLOSE_EMBEDDING) open.pop();
    } else open.push(control >= '\u2066' ? CLOSE_ISOLATE : CLOSE_EMBEDDING);
  }
  return open.length === 0 ? text : text + open.reverse().join('');
}
