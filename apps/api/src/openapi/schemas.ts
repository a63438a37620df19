type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

interface Document {
  components: { schemas: Record<string, object> };
}

/** Keywords that contain values instead of schemas and are left unchanged. */
const VALUES = new Set(['examples', 'example', 'const', 'default', 'enum']);

/**
 * Rewrites the schemas of a document without changing their meaning, for readers and client generators: named schemas
 * are referenced, a choice of strings becomes an `enum`, `null` becomes one more type, and a limit in characters is
 * mentioned in the description. Where a schema is `nestedItems`, items can nest without limit, which only a document
 * with named schemas can express.
 */
export function readableSchemas<T extends Document>(document: T, nestedItems: object): T {
  const named = new Map<string, Json>();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    named.set(JSON.stringify(schema), { $ref: `#/components/schemas/${name}` });
  }
  const { items: _, ...list } = JSON.parse(JSON.stringify(nestedItems)) as JsonObject;
  named.set(JSON.stringify(nestedItems), { ...list, items: { $ref: '#/components/schemas/ListItem' } });

  const rewrite = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    return named.get(JSON.stringify(value)) ?? rewriteInside(value);
  };
  const rewriteInside = (value: Json[] | JsonObject): Json => {
    if (Array.isArray(value)) return value.map(rewrite);
    const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
      name,
      VALUES.has(name) ? inner : rewrite(inner),
    ]);
    return withLimitDescription(withPlainNull(withChoicesAsEnum(Object.fromEntries(entries))));
  };

  const { components, ...rest } = document as unknown as { components: JsonObject } & JsonObject;
  const { schemas, ...others } = components;
  // Only the inside is rewritten, or a named schema would become a reference to itself.
  const definitions = Object.entries(schemas as Record<string, JsonObject>).map(([name, schema]) => [
    name,
    rewriteInside(schema),
  ]);
  return {
    ...(rewrite(rest) as object),
    components: { ...(rewrite(others) as object), schemas: Object.fromEntries(definitions) },
  } as unknown as T;
}

function withChoicesAsEnum(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema;
  const text = anyOf.map((choice) => (isObject(choice) && choice.type === 'string' ? choice.const : undefined));
  if (!text.every((word) => typeof word === 'string')) return schema;
  return { type: 'string', enum: text, ...rest };
}

function withPlainNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const [first, second] = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf : [];
  if (!isObject(first) || !isObject(second) || second.type !== 'null') return schema;
  if (typeof first.type !== 'string' || first.const !== undefined) return schema;
  const text = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...first, ...text, ...rest, type: [first.type, 'null'] };
}

function withLimitDescription(schema: JsonObject): JsonObject {
  const { type, maxLength, description } = schema;
  if (type !== 'string' || typeof maxLength !== 'number') return schema;
  const limit = `At most ${maxLength.toLocaleString('en')} characters (Unicode code points).`;
  return { ...schema, description: typeof description === 'string' ? `${description} ${limit}` : limit };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
