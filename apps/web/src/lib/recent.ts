import { readStored, writeStored } from './stored.ts';

/** Returns the items of a list of what was used last, most recent first. No item contains the separator. */
export function recentIn(name: string, separator: string): string[] {
  return (readStored(name) ?? '').split(separator).filter(Boolean);
}

/** Puts an item at the beginning of such a list, which has at most `max` items. */
export function keepRecentIn(name: string, separator: string, max: number, item: string): void {
  const others = recentIn(name, separator).filter((other) => other !== item);
  writeStored(name, [item, ...others].slice(0, max).join(separator));
}
