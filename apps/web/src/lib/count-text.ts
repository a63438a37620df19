import { LOCALE } from './time/format.ts';

/** "0 keys", "1 key", "1,204 keys". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString(LOCALE)} ${noun}${count === 1 ? '' : 's'}`;
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
