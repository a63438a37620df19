import { LOCALE } from './time/format.ts';

/** "1 key", "2 keys", "No keys". `none`: the word for zero. */
export function countOf(count: number, noun: string, none = 'No'): string {
  if (count === 0) return `${none} ${noun}s`;
  return `${count.toLocaleString(LOCALE)} ${noun}${count === 1 ? '' : 's'}`;
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
