import type { LinkKind } from '@hub/contract';
import { Elysia } from 'elysia';
import { serveStatic } from '../http/static-file.ts';
import icon from './icon.svg' with { type: 'file' };
import stylesheet from './link.css' with { type: 'file' };
import script from './link.js' with { type: 'file' };
import formStylesheet from './link-form.css' with { type: 'file' };
import formScript from './link-form.js' with { type: 'file' };
import nextStylesheet from './link-next.css' with { type: 'file' };
import nextScript from './link-next.js' with { type: 'file' };
import { ASSETS_PATH, linkPage } from './link-page.ts';

const UNTIL_CHANGED = 'no-cache';
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

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

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  // The secret is behind the `#`, which is in no referrer; where somebody came from is nobody's business either.
  'referrer-policy': 'no-referrer',
} as const;

/** The pages that set-up, invitation and reset links lead to, and what they load. They need nothing but this server. */
export function pagesRoutes() {
  const page = (kind: LinkKind) => {
    const html = new TextEncoder().encode(linkPage(kind));
    return serve({ read: async () => html, type: HTML, headers: PAGE_HEADERS });
  };
  const file = (path: string, type: string) => serve({ read: () => Bun.file(path).bytes(), type });
  return new Elysia({ name: 'pages', detail: { hide: true } })
    .get('/setup', page('setup'))
    .get('/join', page('invitation'))
    .get('/reset', page('password_reset'))
    .get(`${ASSETS_PATH}/link.css`, file(stylesheet, CSS))
    .get(`${ASSETS_PATH}/link-form.css`, file(formStylesheet, CSS))
    .get(`${ASSETS_PATH}/link-next.css`, file(nextStylesheet, CSS))
    .get(`${ASSETS_PATH}/link.js`, file(script, JAVASCRIPT))
    .get(`${ASSETS_PATH}/link-form.js`, file(formScript, JAVASCRIPT))
    .get(`${ASSETS_PATH}/link-next.js`, file(nextScript, JAVASCRIPT))
    .get(`${ASSETS_PATH}/icon.svg`, file(icon, 'image/svg+xml'));
}

function serve(content: { read: () => Promise<Uint8Array>; type: string; headers?: Record<string, string> }) {
  const respond = serveStatic({ ...content, cacheControl: UNTIL_CHANGED });
  return ({ request }: { request: Request }) => respond(request);
}
