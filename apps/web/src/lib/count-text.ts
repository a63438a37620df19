import { LOCALE } from './time/format.ts';

/** "0 keys", "1 key", "1,204 keys". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString(LOCALE)} ${noun}${count === 1 ? '' : 's'}`;
}

export function repliesText(count: number): string {
  return count === 1 ? '1 reply' : `${count.toLocaleString(LOCALE)} replies`;
}

/** "No keys", "1 key", "1,204 keys". */
export function countOf(count: number, noun: string): string {
  return count === 0 ? `No ${noun}s` : countText(count, noun);
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1_000;

/** Formats bytes with at most three digits, in powers of 1,000: "12.4 MB". */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && size < 100 ? 1 : 0;
  return `${size.toLocaleString(LOCALE, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

/** Once the text reaches this fraction of the limit, the number of remaining characters is shown. */
const NEAR = 0.95;

interface Length {
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
  return { text: points < limit * NEAR ? '' : `${countText(room, 'character')} left.`, isTooLong: false };
}

export function fits(text: string, maxCodePoints: number): boolean {
  return !lengthOf(text, maxCodePoints).isTooLong;
}
