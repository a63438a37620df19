import { readStored, writeStored } from './stored.ts';

/** Puts an entry at the end of a map that keeps at most `max` entries. Returns the value that was dropped, if any. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): Value | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= max || !oldest) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}

/** Returns the items of a list of what was used last, most recent first. No item contains the separator. */
export function recentIn(name: string, separator: string): string[] {
  return (readStored(name) ?? '').split(separator).filter(Boolean);
}

/** Puts an item at the beginning of such a list, which has at most `max` items. */
export function keepRecentIn(name: string, separator: string, max: number, item: string): void {
  const others = recentIn(name, separator).filter((other) => other !== item);
  writeStored(name, [item, ...others].slice(0, max).join(separator));
}
