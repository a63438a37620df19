import { LOCALE } from '../time/format.ts';

/** From this share of the limit on, it is said how much is left. */
const NEAR = 0.95;

export interface Length {
  /** In place of how it is, if there is something to say. */
  text: string;
  isTooLong: boolean;
}

/** How long a text is against its limit in code points. */
export function lengthOf(text: string, limit: number): Length {
  // A code point is one or two units of the text: most texts need no counting.
  if (text.length < limit * NEAR) return { text: '', isTooLong: false };
  let points = 0;
  for (const _ of text) points += 1;
  const left = limit - points;
  if (left < 0) {
    return { text: `${shown(-left)} too many: at most ${shown(limit)} characters are allowed.`, isTooLong: true };
  }
  return { text: points < limit * NEAR ? '' : `${shown(left)} characters left.`, isTooLong: false };
}

function shown(count: number): string {
  return count.toLocaleString(LOCALE);
}
