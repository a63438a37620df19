/**
 * Values stored in this browser. If the storage is full or unavailable, a value lasts only as long as the page: nothing
 * else may fail because of it.
 */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a value; `null` removes it. Returns whether that succeeded. */
export function writeStored(name: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Returns a unique id. Does not use `randomUUID`, which browsers offer only on HTTPS pages. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
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
