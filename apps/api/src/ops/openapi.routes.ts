import { swagger } from '@elysiajs/swagger';
import { RATE_LIMIT } from '@hub/contract';
import { Elysia } from 'elysia';

export const OPENAPI_PATH = '/api/openapi.json';
export const API_DOCS_PATH = '/api/docs';

const INTRODUCTION = `Programs post **messages, notes and to-dos** into one Hub per API key.

- Send the key as \`Authorization: Bearer hub_live_…\`, in no other place.
- One item per request; there is no deduplication.
- ${RATE_LIMIT.requests} requests in any ${RATE_LIMIT.windowSeconds} seconds; one more blocks the key for ${RATE_LIMIT.blockSeconds} seconds.
- Unknown fields are refused, so that no typing error loses a due date.`;

/** The OpenAPI document, made from the schemas that the routes validate with, and its page. */
export function openApiRoutes() {
  return new Elysia({ name: 'openapi' }).use(
    swagger({
      path: API_DOCS_PATH,
      specPath: OPENAPI_PATH,
      exclude: [API_DOCS_PATH, OPENAPI_PATH],
      documentation: {
        // The plug-in types it as 3.0, but writes what it is given.
        openapi: '3.1.0' as never,
        info: { title: 'Hub', version: '1', description: INTRODUCTION },
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } } },
      } as never,
    }),
  );
}
