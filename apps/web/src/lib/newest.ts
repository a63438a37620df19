/** Puts an entry at the end of a map that keeps at most `max` entries. Returns the value that was dropped, if any. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): Value | undefined {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= max || !oldest) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
