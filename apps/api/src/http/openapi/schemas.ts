import type { ErrorBody } from '@hub/contract';
import { DATE_TIME_PATTERN } from '@hub/contract/schema-parts';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

/** A schema in the document, as far as it is read or rewritten. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  pattern?: string;
  format?: string;
  description?: string;
  minimum?: number;
  minItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
}

export interface MediaTypes {
  'application/json'?: { schema?: Schema; example?: unknown; examples?: unknown };
}
interface Operation {
  operationId: string;
  tags?: string[];
  parameters?: { required: boolean; schema: Schema; example?: unknown }[];
  requestBody?: { content: MediaTypes };
  responses: Record<string, { content?: MediaTypes }>;
}
/** The parts of the document that are read or rewritten. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, { content?: MediaTypes }> };
}

/** Keywords that contain values instead of schemas and are left unchanged. */
const VALUES = new Set(['examples', 'example', 'const', 'default', 'enum']);

/**
 * Rewrites schemas without changing their meaning, for readers and client generators: references, `enum`, `null` as one
 * more type, limits in the description. `nestedItems` can nest without limit, which only named schemas can express.
 */
export function readableSchemas(document: OpenApiDocument, nestedItems: object): OpenApiDocument {
  const references = new Map<string, Json>();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    references.set(JSON.stringify(schema), { $ref: `#/components/schemas/${name}` });
  }
  const { items: _, ...list } = JSON.parse(JSON.stringify(nestedItems)) as JsonObject;
  references.set(JSON.stringify(nestedItems), { ...list, items: { $ref: '#/components/schemas/ListItem' } });

  const rewrite = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    return references.get(JSON.stringify(value)) ?? rewriteInside(value);
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
  } as unknown as OpenApiDocument;
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

/** The characters of blank text (blank-text.ts of the contract), for patterns with and without the `u` flag. */
const BLANK_CHARACTERS = [
  String.raw`\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f`,
  String.raw`\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`,
].join('');
const NUL = String.raw`\u0000`;

const blankSchema: Schema = {
  type: 'string',
  pattern: `^[${BLANK_CHARACTERS}]*$`,
  description: 'Blank text: counts as absent.',
};
const blank: Schema = { $ref: '#/components/schemas/Blank' };

/** Rewrites request bodies to what `readFields` and `readPatch` accept: absent fields, no NUL, no blank text. */
export function describeBodies({ paths, components: { schemas } }: OpenApiDocument): void {
  const done = new Map<Schema, string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      const body = resolved(schema, schemas);
      const reading = method === 'patch' ? 'patch' : 'fields';
      const former = done.get(body);
      if (former !== undefined && former !== reading)
        throw new Error(`${method} ${path} has the body of another method`);
      if (former === undefined) describeBody(body, schemas, reading);
      done.set(body, reading);
    }
  }
  schemas.Blank = blankSchema;
}

function describeBody(body: Schema, schemas: Record<string, Schema>, reading: 'patch' | 'fields'): void {
  const properties = body.properties ?? {};
  const required = body.required ?? [];
  const present = presentIn(properties, schemas);
  for (const [name, field] of Object.entries(properties)) {
    const { inner, isNullable } = withoutNull(field);
    const mayBeAbsent = reading === 'patch' ? isNullable : !required.includes(name);
    properties[name] = mayBeAbsent ? orAbsent(inner, schemas) : needed(inner, schemas);
  }
  if (reading === 'patch') {
    delete body.required;
    const changeable = Object.keys(properties).filter((name) => name !== 'baseVersion');
    body.anyOf = changeable.map((name) => ({ required: [name] }));
    return;
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (body[keyword]) body[keyword] = body[keyword].map(present);
  }
  if (body.not) body.not = present(body.not);
}

/** Turns "has these fields" into "has values in these fields". */
function presentIn(properties: Record<string, Schema>, schemas: Record<string, Schema>) {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, field]): [string, Schema] => {
      const { type } = resolved(withoutNull(field).inner, schemas);
      if (type === 'array') return [name, { type, minItems: 1 }];
      return [name, type === 'string' ? { type, pattern: `[^${BLANK_CHARACTERS}]` } : { type: type as string }];
    }),
  );
  return ({ required = [] }: Schema): Schema => ({
    required,
    properties: Object.fromEntries(required.map((name) => [name, values[name] ?? {}])),
  });
}

/** Returns the schema of an optional field: `null` is treated as absent, as is blank text if the field takes text. */
function orAbsent(field: Schema, schemas: Record<string, Schema>): Schema {
  const { type, enum: words, pattern, format } = resolved(field, schemas);
  if (type === 'array' || words !== undefined) {
    const { description, ...value } = withTextElements(field);
    return { anyOf: [value, blank, { type: 'null' }], ...(description === undefined ? {} : { description }) };
  }
  if (type !== 'string') return { ...field, type: [type as string, 'null'] };
  const isSpecial = pattern !== undefined || format === 'date-time';
  const text = isSpecial ? `^(?:${insideOf(pattern)}|[${BLANK_CHARACTERS}]*)$` : `^[^${NUL}]*$`;
  return { ...field, type: ['string', 'null'], pattern: text };
}

function insideOf(pattern: string | undefined): string {
  return (pattern ?? DATE_TIME_PATTERN).slice(1, -1);
}

/** Returns the schema of a required field, which accepts neither `null` nor blank text. */
function needed(field: Schema, schemas: Record<string, Schema>): Schema {
  const { type, enum: words, pattern, format } = resolved(field, schemas);
  if (type === 'array') return { ...withTextElements(field), minItems: Math.max(1, field.minItems ?? 0) };
  if (type !== 'string' || words !== undefined) return field;
  if (format === 'date-time') return { ...field, pattern: DATE_TIME_PATTERN };
  if (pattern !== undefined) return { ...field, allOf: [{ pattern: `[^${BLANK_CHARACTERS}]` }] };
  return { ...field, pattern: `^[^${NUL}]*[^${NUL}${BLANK_CHARACTERS}][^${NUL}]*$` };
}

function withTextElements(field: Schema): Schema {
  if (field.items?.type !== 'string' || field.items.enum !== undefined) return field;
  return { ...field, items: { ...field.items, pattern: `^[^${NUL}]*$` } };
}

function withoutNull(field: Schema): { inner: Schema; isNullable: boolean } {
  const { anyOf, ...rest } = field;
  if (anyOf?.at(-1)?.type === 'null' && anyOf.length === 2)
    return { inner: { ...anyOf[0], ...rest }, isNullable: true };
  if (!Array.isArray(field.type)) return { inner: field, isNullable: false };
  const type = field.type.find((each) => each !== 'null') as string;
  const words = field.enum ? { enum: field.enum.filter((word) => word !== null) } : {};
  return { inner: { ...field, ...words, type }, isNullable: true };
}

function resolved(schema: Schema, schemas: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

/** Adds examples to all parameters, bodies and responses: those of their schemas, and those of the errors by name. */
export function addExamples(
  { paths, components: { responses } }: OpenApiDocument,
  errorExamples: Readonly<Record<string, readonly ErrorBody[]>>,
): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.required) parameter.example = exampleOf(parameter.schema);
    }
    for (const { content } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
      const schema = content?.['application/json']?.schema;
      if (schema) addTo(content, examplesOf(schema) as object[]);
    }
  }
  for (const [name, examples] of Object.entries(errorExamples)) addTo(responses[name]?.content, examples);
}

function addTo(content: MediaTypes | undefined, examples: readonly object[]): void {
  const json = content?.['application/json'];
  if (!json) return;
  const entries = examples.map((value, index) => [`example${index + 1}`, { summary: summaryOf(value), value }]);
  if (examples.length === 1) json.example = examples[0];
  else json.examples = Object.fromEntries(entries);
}

/** Says what distinguishes an example from the others: the message of an error, the kind of an item, or the fields. */
function summaryOf(example: object): string {
  if ('message' in example) return `${example.message}`;
  return 'kind' in example ? `${example.kind}` : Object.keys(example).join(', ');
}

/** Returns the examples of a schema: its own, or one derived for each kind of value that it accepts. */
function examplesOf({ anyOf, ...schema }: Schema): unknown[] {
  const examples = schema.examples ?? (anyOf && !schema.properties ? anyOf.map(exampleOf) : [derived(schema)]);
  return examples.filter((example) => example !== undefined);
}

/** Returns the first of these examples. */
function exampleOf(schema: Schema): unknown {
  return examplesOf(schema)[0];
}

/**
 * Derives an example from those of the parts of a schema. Text without one has none, nor has an object that requires it
 * (or it is `null`). Optional properties are left out unless they have their own.
 */
function derived({ properties, required = [], items, type, minimum = 0, ...schema }: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (type === 'array') return items ? examplesOf(items) : [];
  if (type !== 'object') return { integer: minimum, number: minimum, boolean: false, null: null }[String(type)];
  const withExamples = Object.entries(properties ?? {}).filter(
    ([name, { examples }]) => required.includes(name) || examples,
  );
  const values = withExamples.map(([name, property]) => [name, exampleOf(property)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}
