import { Elysia } from 'elysia';
import { version } from 'swagger-ui-dist/package.json';
import stylesheet from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { PAGE_HEADERS, pagePolicy } from '../response-headers.ts';
import { serveStatic } from '../static-file.ts';
import pageStylesheet from './api-docs/page.css' with { type: 'file' };
import pageScript from './api-docs/page.js' with { type: 'file' };
import type { DescribedRoute } from './document.ts';

const OPENAPI_PATH = '/api/openapi.json';

interface OpenApiDeps {
  readonly version: string;
  readonly routes: () => readonly DescribedRoute[];
}

/** `GET /api/openapi.json`. The document, and what creates it, is loaded on the first request: few servers are asked. */
export function openApiRoutes({ version, routes }: OpenApiDeps) {
  let document: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const create = async () => {
    const { openApiDocument } = await import('./document.ts');
    return new TextEncoder().encode(JSON.stringify(await openApiDocument(routes(), version)));
  };
  const read = () => {
    document ??= create();
    return document;
  };
  const serve = serveStatic({ read, type: 'application/json', cacheControl: 'no-cache' });
  return new Elysia({ name: 'openapi', detail: { hide: true } }).get(OPENAPI_PATH, ({ request }) => serve(request));
}

const API_DOCS_PATH = '/api/docs';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
/** The version is in the path, so a file at this path never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

/** Allows only what Swagger UI needs: inline icons, scripts and styles from this server, and requests to it. */
const CONTENT_SECURITY_POLICY = pagePolicy("img-src 'self' data:", "connect-src 'self'");

const UI = `${API_DOCS_PATH}/swagger-ui-${version}`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hub API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${UI}/swagger-ui.css">
<link rel="stylesheet" href="${API_DOCS_PATH}/page.css">
<script defer src="${UI}/swagger-ui-bundle.js"></script>
<script defer src="${API_DOCS_PATH}/page.js"></script>
</head>
<body>
<main id="page"></main>
<noscript><p class="unavailable">This page requires JavaScript. You can also read the OpenAPI document: <a href="/api/openapi.json">/api/openapi.json</a>.</p></noscript>
</body>
</html>
`;

/** Serves the API docs at `/api/docs` and the files that they load. Nothing is loaded from another server. */
export function apiDocsRoutes() {
  const page = serveStatic({
    read: async () => new TextEncoder().encode(PAGE),
    type: 'text/html; charset=utf-8',
    cacheControl: REVALIDATED,
    headers: { ...PAGE_HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY },
  });
  const file = (path: string, type: string, cacheControl: string) => {
    const serve = serveStatic({ read: () => Bun.file(path).bytes(), type, cacheControl });
    return ({ request }: { request: Request }) => serve(request);
  };
  return new Elysia({ name: 'api-docs', detail: { hide: true } })
    .get(API_DOCS_PATH, ({ request }) => page(request))
    .get(`${API_DOCS_PATH}/page.css`, file(pageStylesheet, CSS, REVALIDATED))
    .get(`${API_DOCS_PATH}/page.js`, file(pageScript, JAVASCRIPT, REVALIDATED))
    .get(`${UI}/swagger-ui.css`, file(stylesheet, CSS, IMMUTABLE))
    .get(`${UI}/swagger-ui-bundle.js`, file(bundle, JAVASCRIPT, IMMUTABLE));
}
