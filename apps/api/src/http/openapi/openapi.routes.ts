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
  const serve = serveStatic({ read, type: 'json' });
  return new Elysia({ name: 'openapi', detail: { hide: true } }).get(OPENAPI_PATH, serve);
}

const API_DOCS_PATH = '/api/docs';

/** Allows only what Swagger UI needs: inline icons, scripts and styles from this server, and requests to it. */
const CONTENT_SECURITY_POLICY = pagePolicy("img-src 'self' data:", "connect-src 'self'");

/** The version is in the path, so a file at this path never changes. */
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
    type: 'html',
    headers: { ...PAGE_HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY },
  });
  const file = (path: string, type: string, isImmutable = false) =>
    serveStatic({ read: () => Bun.file(path).bytes(), type, isImmutable });
  return new Elysia({ name: 'api-docs', detail: { hide: true } })
    .get(API_DOCS_PATH, page)
    .get(`${API_DOCS_PATH}/page.css`, file(pageStylesheet, 'css'))
    .get(`${API_DOCS_PATH}/page.js`, file(pageScript, 'js'))
    .get(`${UI}/swagger-ui.css`, file(stylesheet, 'css', true))
    .get(`${UI}/swagger-ui-bundle.js`, file(bundle, 'js', true));
}
