import type { ErrorBody } from '@hub/contract';
import type { MediaTypes, OpenApiDocument, Schema } from './schemas.ts';

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
