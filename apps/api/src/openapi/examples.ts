/** A schema of the document in which nothing is a reference yet. */
export interface Schema {
  examples?: unknown[];
  const?: unknown;
  type?: string;
  minimum?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Returns the examples of a schema: its own, or one derived for each kind of value that it accepts. */
export function examplesOf({ anyOf, ...schema }: Schema): unknown[] {
  const examples = schema.examples ?? (anyOf && !schema.properties ? anyOf.map(exampleOf) : [derived(schema)]);
  return examples.filter((example) => example !== undefined);
}

/** Returns the first of these examples. */
export function exampleOf(schema: Schema): unknown {
  return examplesOf(schema)[0];
}

/**
 * Derives an example from those of the parts of a schema. Without any, a number is the smallest, a flag is `false`, a
 * list is empty, and text has no example, nor has an object that requires the text: it is `null` if it can be. Optional
 * properties are left out unless they have an example of their own.
 */
function derived({ properties, required = [], items, type, minimum = 0, ...schema }: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (type === 'array') return items ? examplesOf(items) : [];
  if (type !== 'object') return { integer: minimum, number: minimum, boolean: false, null: null }[type ?? ''];
  const shown = Object.entries(properties ?? {}).filter(([name, { examples }]) => required.includes(name) || examples);
  const values = shown.map(([name, property]) => [name, exampleOf(property)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}
