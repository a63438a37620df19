import { closeBidi } from './bidi.ts';

/**
 * Thirty combining marks on one letter are enough for every language: Unicode's stream-safe format has no more
 * (UAX #15, section 13). Browsers take seconds to lay out thousands of them.
 */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Returns a string that is safe to show beside other text: it does not reorder adjacent text or slow down the layout.
 */
export function shownText(text: string): string {
  return closeBidi(text.replace(EXCESS_MARKS, '$1…'));
}
