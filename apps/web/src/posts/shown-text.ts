import { closeBidi } from './bidi.ts';

/**
 * So many signs above and below one letter are enough for every language: Unicode's stream-safe text has no more (UAX #15, section
 * 13). Browsers take seconds to place thousands of them.
 */
const TOWER = /(\p{M}{30})\p{M}+/gu;

/** A text as it may stand among others: it turns nothing that follows it, and no letter keeps the browser busy. */
export function shownText(text: string): string {
  return closeBidi(text.replace(TOWER, '$1…'));
}
