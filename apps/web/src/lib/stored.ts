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
