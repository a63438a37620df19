import type { JsonLike } from './mutate-json.ts';

export interface SchemaLike {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaLike>>;
  readonly items?: SchemaLike;
  readonly maxLength?: number;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly queries: readonly string[];
  readonly bodies: readonly JsonLike[];
  readonly schema: SchemaLike | null;
}

interface DocumentLike {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationLike>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaLike>> };
}

interface OperationLike {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaLike>> };
}

interface MediaLike {
  readonly schema: SchemaLike;
  readonly example?: JsonLike;
  readonly examples?: Readonly<Record<string, { readonly value: JsonLike }>>;
}

/** All operations of the workspace API, from the server's OpenAPI document. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as DocumentLike;
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
        const media = requestBody?.content['application/json'];
        const bodies = media?.examples
          ? Object.values(media.examples).map(({ value }) => value)
          : media?.example === undefined
            ? []
            : [media.example];
        const name = media?.schema.$ref?.split('/').at(-1);
        return {
          method: method.toUpperCase(),
          path,
          queries: parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
          bodies,
          schema: name === undefined ? (media?.schema ?? null) : (document.components.schemas[name] ?? null),
        };
      }),
    );
}

/** Returns why the document requires that a body be rejected, or null. The server may be stricter. */
export function schemaProblem({ properties = {} }: SchemaLike, body: Buffer): string | null {
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return 'it is no JSON';
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return 'it is no object';
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(properties, name)) return `${name} is unknown`;
    const { type, maxLength = Number.POSITIVE_INFINITY } = properties[name] ?? {};
    if (
      value === null ||
      type === undefined ||
      (typeof value === 'string' && value.trim() === '') ||
      (Array.isArray(value) && value.length === 0)
    )
      continue;
    const found = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
    if (![type].flat().includes(found)) return `${name} is of the type ${found}, not ${type}`;
    if (typeof value === 'string' && (Array.from(value).length > maxLength || /\p{Cs}|\0/u.test(value)))
      return `${name} is no such text`;
  }
  return null;
}
