import { LOCALE } from './time/format.ts';

/** "0 keys", "1 key", "1,204 keys". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString(LOCALE)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "No keys", "1 key", "1,204 keys". */
export function countOf(count: number, noun: string): string {
  return count === 0 ? `No ${noun}s` : countText(count, noun);
}
