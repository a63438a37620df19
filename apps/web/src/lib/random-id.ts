/** Returns a unique id. Does not use `randomUUID`, which browsers offer only on HTTPS pages. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
}
