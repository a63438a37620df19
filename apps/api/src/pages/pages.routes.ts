import type { LinkKind } from '@hub/contract';
import { Elysia } from 'elysia';
import { Refusal } from '../errors.ts';
import { PAGE_HEADERS } from '../http/answer-headers.ts';
import { prefersHtml } from '../http/prefers-html.ts';
import { requestPath } from '../http/request-path.ts';
import { serveStatic } from '../http/static-file.ts';
import { API_DOCS_PATH } from '../ops/api-docs.routes.ts';
import { printable } from '../printable.ts';
import icon from './icon.svg' with { type: 'file' };
import stylesheet from './link.css' with { type: 'file' };
import script from './link.js' with { type: 'file' };
import formStylesheet from './link-form.css' with { type: 'file' };
import formScript from './link-form.js' with { type: 'file' };
import nextStylesheet from './link-next.css' with { type: 'file' };
import nextScript from './link-next.js' with { type: 'file' };
import { ASSETS_PATH, linkPage } from './link-page.ts';
import { VISITOR_PAGES, visitorPage } from './visitor-page.ts';

const UNTIL_CHANGED = 'no-cache';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const SVG = 'image/svg+xml; charset=utf-8';

/** Whatever gets into these pages, it runs and loads nothing, and sends nothing elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Pages that need no script. */
const VISITOR_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages that set-up, invitation and reset links lead to, and what they load. They need nothing but this server. */
export function pagesRoutes() {
  const headers = { ...PAGE_HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY };
  const page = (kind: LinkKind) => {
    const html = new TextEncoder().encode(linkPage(kind));
    return serve({ read: async () => html, type: HTML, headers });
  };
  const file = (path: string, type: string) => serve({ read: () => Bun.file(path).bytes(), type });
  return new Elysia({ name: 'pages', detail: { hide: true } })
    .get('/', forVisitors(visitorPage(VISITOR_PAGES.start, API_DOCS_PATH), 200))
    .get('/p/:postId', forVisitors(visitorPage(VISITOR_PAGES.post, API_DOCS_PATH), 404))
    .get('/setup', page('setup'))
    .get('/join', page('invitation'))
    .get('/reset', page('password_reset'))
    .get(`${ASSETS_PATH}/link.css`, file(stylesheet, CSS))
    .get(`${ASSETS_PATH}/link-form.css`, file(formStylesheet, CSS))
    .get(`${ASSETS_PATH}/link-next.css`, file(nextStylesheet, CSS))
    .get(`${ASSETS_PATH}/link.js`, file(script, JAVASCRIPT))
    .get(`${ASSETS_PATH}/link-form.js`, file(formScript, JAVASCRIPT))
    .get(`${ASSETS_PATH}/link-next.js`, file(nextScript, JAVASCRIPT))
    .get(`${ASSETS_PATH}/icon.svg`, file(icon, SVG));
}

/** The same for everybody, whatever is there: for browsers. For programs there is nothing yet. */
function forVisitors(html: string, status: 200 | 404) {
  const headers = {
    ...PAGE_HEADERS,
    'content-type': HTML,
    'content-security-policy': VISITOR_POLICY,
    vary: 'Accept',
  };
  return ({ request }: { request: Request }) => {
    if (prefersHtml(request.headers.get('accept'))) return new Response(html, { status, headers });
    throw new Refusal('not_found', `There is nothing at ${printable(requestPath(request))}.`);
  };
}

function serve(content: { read: () => Promise<Uint8Array>; type: string; headers?: Record<string, string> }) {
  const respond = serveStatic({ ...content, cacheControl: UNTIL_CHANGED });
  return ({ request }: { request: Request }) => respond(request);
}
