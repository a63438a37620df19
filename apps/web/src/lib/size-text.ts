import { LOCALE } from './time/format.ts';

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
