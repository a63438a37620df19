import { swagger } from '@elysiajs/swagger';
import { NestedItems } from '@hub/contract/blocks/data-schemas';
import { type DocumentDecoration, Elysia } from 'elysia';
import { describeBodies } from './bodies.ts';
import { components } from './components.ts';
import { errorExamples } from './error-examples.ts';
import { exampleOf, examplesOf, type Schema } from './examples.ts';
import { INTRODUCTION } from './introduction.ts';
import { readableSchemas } from './schemas.ts';
import { tagOf, tags } from './tags.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: DocumentDecoration };
}

/**
 * Creates the OpenAPI 3.1 document of all routes that have an `operationId`.
 *
 * The plug-in runs in a separate app that contains only these descriptions, since the plug-in also serves a page that
 * loads scripts from another host.
 */
export async function openApiDocument(routes: readonly DescribedRoute[], version: string): Promise<object> {
  const describing = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      exclude: ['/page', '/document'],
      documentation: {
        // The plug-in types this as 3.0, but writes whatever it is given.
        openapi: '3.1.0' as never,
        info: {
          title: 'Hub',
          version,
          description: INTRODUCTION,
        },
        servers: [{ url: '/', description: 'This server' }],
        tags,
        components: components as never,
      },
    }),
  );
  for (const { method, path, hooks } of routes) {
    if (hooks.detail?.operationId === undefined) continue;
    describing.route(method, path, () => null, { detail: hooks.detail });
  }
  const response = await describing.handle(new Request('http://localhost/document'));
  const document = (await response.json()) as OpenApiDocument;
  addTags(document);
  addExamples(document);
  const readable = readableSchemas(document, NestedItems);
  describeBodies(readable);
  return readable;
}

interface MediaTypes {
  'application/json'?: { schema?: Schema; example?: unknown; examples?: unknown };
}
interface DocumentedResponse {
  content?: MediaTypes;
}
interface Operation {
  operationId: string;
  tags?: string[];
  parameters?: { required: boolean; schema: Schema; example?: unknown }[];
  requestBody?: { content: MediaTypes };
  responses: Record<string, DocumentedResponse>;
}
/** The parts of the document to which examples are added. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, DocumentedResponse> };
}

function addTags({ paths }: OpenApiDocument): void {
  for (const [path, operations] of Object.entries(paths)) {
    const tag = tagOf(path);
    for (const operation of Object.values(operations)) if (tag !== undefined) operation.tags = [tag];
  }
}

function addExamples({ paths, components: { responses } }: OpenApiDocument): void {
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
  const named = examples.map((value, index) => [`example${index + 1}`, { summary: summaryOf(value), value }]);
  if (examples.length === 1) json.example = examples[0];
  else json.examples = Object.fromEntries(named);
}

/** Says what distinguishes an example from the others: the message of an error, the kind of an item, or the fields. */
function summaryOf(example: object): string {
  if ('message' in example) return `${example.message}`;
  return 'kind' in example ? `${example.kind}` : Object.keys(example).join(', ');
}
