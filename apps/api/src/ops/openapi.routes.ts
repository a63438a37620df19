import { Elysia } from 'elysia';
import { type DescribedRoute, openApiDocument } from './openapi-document.ts';

export const OPENAPI_PATH = '/api/openapi.json';

export interface OpenApiDeps {
  readonly version: string;
  readonly routes: () => readonly DescribedRoute[];
}

/** `GET /api/openapi.json`: made once, when it is first asked for. */
export function openApiRoutes({ version, routes }: OpenApiDeps) {
  let document: Promise<object> | undefined;
  return new Elysia({ name: 'openapi', detail: { hide: true } }).get(OPENAPI_PATH, () => {
    document ??= openApiDocument(routes(), version);
    return document;
  });
}
