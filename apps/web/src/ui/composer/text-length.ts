import { countText } from '../../lib/count-text.ts';
import { LOCALE } from '../../lib/time/format.ts';

/** Once the text reaches this fraction of the limit, the number of remaining characters is shown. */
const NEAR = 0.95;

export interface Length {
  /** The hint to show, or an empty string. */
  text: string;
  isTooLong: boolean;
}

/** Compares the length of a text with its limit, both in code points. */
export function lengthOf(text: string, limit: number): Length {
  // A code point is one or two UTF-16 units, so most text needs no counting.
  if (text.length < limit * NEAR) return { text: '', isTooLong: false };
  let points = 0;
  for (const _ of text) points += 1;
  const room = limit - points;
  if (room < 0) {
    return {
      text: `${countText(-room, 'character')} over the limit of ${limit.toLocaleString(LOCALE)}.`,
      isTooLong: true,
    };
  }
  return {
    text: points < limit * NEAR ? '' : `${countText(room, 'character')} left.`,
    isTooLong: false,
  };
}

/** Whether the text is within the limit, so that its submit button can be enabled. */
export function fits(text: string, maxCodePoints: number): boolean {
  return !lengthOf(text, maxCodePoints).isTooLong;
}
