export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Yields every object in a document with its JSON Pointer (RFC 6901). */
export function* nodes(value: Json, pointer = ''): Generator<{ pointer: string; value: JsonObject }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { pointer, value };
  for (const [name, inner] of Object.entries(value)) {
    yield* nodes(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Resolves a reference within the same document. */
export function at(root: JsonObject, ref: string): Json | undefined {
  let found: Json | undefined = root;
  for (const part of ref.replace(/^#\//, '').split('/')) {
    found = (found as JsonObject | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}
