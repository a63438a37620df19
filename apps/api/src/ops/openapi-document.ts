import { swagger } from '@elysiajs/swagger';
import { RATE_LIMIT } from '@hub/contract';
import { NestedItems } from '@hub/contract/blocks/data-schemas';
import { type DocumentDecoration, Elysia } from 'elysia';
import { components } from './openapi-components.ts';
import { type Example, operationExamples } from './openapi-examples.ts';
import { refusalExamples } from './openapi-refusal-examples.ts';
import { readableSchemas } from './openapi-schemas.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: DocumentDecoration };
}

const INTRODUCTION = `Programs post **messages, notes and to-dos** into one Hub per API key.

- Send the key as \`Authorization: Bearer hub_live_…\`, in no other place. Keys are not for browsers: there are no CORS headers.
- One item per request. There is no deduplication: a request that is sent again makes a second item.
- A 201 means that the item is on disk.
- ${RATE_LIMIT.requests} requests in any ${RATE_LIMIT.windowSeconds} seconds; one more blocks the key for ${RATE_LIMIT.blockSeconds} seconds.
- Bodies are JSON in UTF-8 (\`application/json\` or a type that ends in \`+json\`).
- Unknown fields are refused, so that no typing error loses a due date. \`null\`, blank text and an empty list count as absent.
- Lengths are counted in characters (Unicode code points). Nothing is ever cut to fit.
- Every error has the same four fields; every answer carries \`X-Request-Id\`.
- Within \`v1\` changes only add.`;

const TAGS = [
  { name: 'Public API', description: 'Create-only, for programs that hold an API key.' },
  {
    name: 'Workspace API',
    description:
      'For people: with a session (a cookie, and the `Origin` of this server on all that writes) or a personal access token in the `Authorization` header. The socket in the data folder of the server (`hubctl` uses it) lets an admin in with no further login.',
  },
];

/**
 * The OpenAPI 3.1 document of the routes that describe themselves with an `operationId`.
 *
 * The plug-in works in an app of its own, which knows nothing but these descriptions: it would also serve a page that
 * loads its scripts from another host.
 */
export async function openApiDocument(routes: readonly DescribedRoute[], version: string): Promise<object> {
  const describing = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      exclude: ['/page', '/document'],
      documentation: {
        // The plug-in types it as 3.0, but writes what it is given.
        openapi: '3.1.0' as never,
        info: {
          title: 'Hub',
          version,
          description: INTRODUCTION,
        },
        servers: [{ url: '/', description: 'This server' }],
        tags: TAGS,
        components: components as never,
      },
    }),
  );
  for (const { method, path, hooks } of routes) {
    if (hooks.detail?.operationId === undefined) continue;
    describing.route(method, path, () => null, { detail: hooks.detail });
  }
  const answer = await describing.handle(new Request('http://localhost/document'));
  const document = (await answer.json()) as OpenApiDocument;
  addExamples(document);
  return readableSchemas(document, NestedItems);
}

interface MediaTypes {
  'application/json'?: { example?: unknown; examples?: unknown };
}
interface Answer {
  content?: MediaTypes;
}
interface Operation {
  operationId: string;
  requestBody?: { content: MediaTypes };
  responses: Record<string, Answer>;
}
/** As much of the document as examples are put into. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Answer> };
}

function addExamples({ paths, components: { responses } }: OpenApiDocument): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const examples = operationExamples[operation.operationId];
    addTo(operation.requestBody?.content, examples?.request);
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
    addTo(success?.[1].content, examples?.answer);
  }
  for (const [name, examples] of Object.entries(refusalExamples)) addTo(responses[name]?.content, examples);
}

function addTo(content: MediaTypes | undefined, examples: Readonly<Record<string, Example>> = {}): void {
  const json = content?.['application/json'];
  const [first, ...others] = Object.values(examples);
  if (!json || !first) return;
  if (others.length === 0) json.example = first.value;
  else json.examples = examples;
}
