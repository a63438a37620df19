/** An id that nothing else has. Browsers make UUIDs by themselves only for pages that came by https. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
}
