export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** The accepted values, if there is a fixed set. */
  readonly values?: readonly string[];
}

export interface Route {
  readonly path: string;
  readonly query: readonly Parameter[];
}

interface Schema {
  $ref?: string;
  properties?: Record<string, { type?: string }>;
  enum?: string[];
  const?: string;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, { get?: Operation }>;
}

/** Returns the GET routes that return a list, which is an object whose `items` is an array. */
export function listRoutes(document: unknown): Route[] {
  const { paths } = document as Document;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    if (!get || !schema || resolved(document, schema).properties?.items?.type !== 'array') return [];
    const query = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    return [{ path, query: query.map((parameter) => readParameter(document, parameter)) }];
  });
}

function readParameter(
  document: unknown,
  { name, required = false, schema }: { name: string; required?: boolean; schema: Schema },
): Parameter {
  const { enum: several, const: one } = resolved(document, schema);
  const values = several ?? (one === undefined ? undefined : [one]);
  return { name, required, ...(values ? { values } : {}) };
}

/** Resolves a reference to a schema. */
function resolved(document: unknown, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  let found: unknown = document;
  for (const step of schema.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[step];
  return resolved(document, found as Schema);
}
