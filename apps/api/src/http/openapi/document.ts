import { swagger } from '@elysiajs/swagger';
import { NestedItems } from '@hub/contract/blocks/data-schemas';
import { type DocumentDecoration, Elysia } from 'elysia';
import { components } from './components.ts';
import { errorExamples } from './errors.ts';
import { addExamples } from './examples.ts';
import { INTRODUCTION, tagOf, tags } from './introduction.ts';
import { describeBodies, type OpenApiDocument, readableSchemas } from './schemas.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: DocumentDecoration };
}

/** Creates the OpenAPI 3.1 document, in an app of its own: the plug-in's page loads scripts from another host. */
export async function openApiDocument(routes: readonly DescribedRoute[], version: string): Promise<object> {
  const describing = new Elysia().use(
    swagger({
      path: '/page',
      specPath: '/document',
      exclude: ['/page', '/document'],
      documentation: {
        // The plug-in types this as 3.0, but writes whatever it is given.
        openapi: '3.1.0' as never,
        info: { title: 'Hub', version, description: INTRODUCTION },
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
  for (const [path, operations] of Object.entries(document.paths)) {
    const tag = tagOf(path);
    for (const operation of Object.values(operations)) if (tag !== undefined) operation.tags = [tag];
  }
  addExamples(document, errorExamples);
  const readable = readableSchemas(document, NestedItems);
  describeBodies(readable);
  return readable;
}
