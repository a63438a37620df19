import { Elysia } from 'elysia';
import { serveStatic } from '../http/static-file.ts';
import { type DescribedRoute, openApiDocument } from './document.ts';

export const OPENAPI_PATH = '/api/openapi.json';

export interface OpenApiDeps {
  readonly version: string;
  /** All routes of the app, once they are registered. */
  readonly routes: () => readonly DescribedRoute[];
}

/** `GET /api/openapi.json`. The document is created on the first request. */
export function openApiRoutes({ version, routes }: OpenApiDeps) {
  let document: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const read = () => {
    document ??= openApiDocument(routes(), version).then((made) => new TextEncoder().encode(JSON.stringify(made)));
    return document;
  };
  const serve = serveStatic({ read, type: 'application/json', cacheControl: 'no-cache' });
  return new Elysia({ name: 'openapi', detail: { hide: true } }).get(OPENAPI_PATH, ({ request }) => serve(request));
}
