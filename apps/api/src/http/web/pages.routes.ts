import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINK_PATHS } from '@hub/contract';
import { Elysia } from 'elysia';
import { AppError, printable } from '../../platform/errors.ts';
import { prefersHtml } from '../error-response.ts';
import { requestPath } from '../request-context.ts';
import { PAGE_HEADERS, pagePolicy } from '../response-headers.ts';
import { serveStatic } from '../static-file.ts';

/** The policy of the pages of one-time links. Injected content cannot run, load or send anything. */
const LINK_POLICY = pagePolicy(
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
);

/** The policy of the web app. Only a Trusted Types policy creates the script URLs of its workers. */
const WEB_APP_POLICY = pagePolicy(
  "img-src 'self' https:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types hub',
);

/** The policy of the worker that parses posts, in any page: it loads its modules and reaches nothing else. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'";
const WORKER_NAME = /-worker-[^/]+\.js$/;

/** The policy of the service worker, which fetches the files it caches and reaches nothing else. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The paths of the web app. The app itself loads the content of each, as the signed-in user. */
export const WEB_PATHS = [
  '/',
  '/stream',
  '/todos',
  '/mentions',
  '/search',
  '/hubs/:hubId',
  '/hubs/:hubId/todos',
  '/hubs/:hubId/notes',
  '/hubs/:hubId/files',
  '/settings',
  '/settings/:section',
  '/p/:postId',
] as const;

/** Serves one page for all paths of the web app, and a 404 to programs that ask for JSON. */
export function pagesRoutes(web: WebApp | null) {
  const routes = new Elysia({ name: 'pages', detail: { hide: true } });
  const page = (policy: string) => {
    const headers = { ...PAGE_HEADERS, 'content-security-policy': policy };
    if (!web) return notBuilt;
    return serveStatic({ read: () => readBuilt(web, web.page), type: 'html', headers });
  };
  const app = page(WEB_APP_POLICY);
  const link = page(LINK_POLICY);
  const pages = new Map<string, typeof app>(WEB_PATHS.map((path) => [path, app]));
  for (const path of Object.values(LINK_PATHS)) pages.set(path, link);
  for (const [path, respond] of pages) {
    routes.get(path, async ({ request }) => {
      if (!prefersHtml(request.headers.get('accept'), { isPage: true })) {
        throw new AppError('not_found', `There is nothing at ${printable(requestPath(request))}.`);
      }
      const response = await respond({ request });
      response.headers.append('vary', 'Accept');
      return response;
    });
  }
  if (web) installedFiles(web, routes);
  for (const name of web?.files ?? []) {
    const content = { read: () => readBuilt(web, name), type: name.slice(name.lastIndexOf('.') + 1) };
    const headers = WORKER_NAME.test(name) ? { 'content-security-policy': WORKER_POLICY } : {};
    const serve = serveStatic({ ...content, headers, isImmutable: true, isForEveryone: true });
    routes.get(`${WEB_ASSETS_PATH}/${name}`, serve);
  }
  return routes;
}

/** Serves the other files of the installable app. Each is revalidated, so that no browser keeps an old version. */
function installedFiles(web: WebApp, routes: Elysia): void {
  const read = (name: string) => () => readBuilt(web, name);
  const page = { ...PAGE_HEADERS, 'content-security-policy': WEB_APP_POLICY };
  const worker = { 'content-security-policy': SERVICE_WORKER_POLICY, 'service-worker-allowed': '/' };
  routes
    .get('/offline', serveStatic({ read: read(web.offlinePage), type: 'html', headers: page }))
    .get('/service-worker.js', serveStatic({ read: read(web.serviceWorker), type: 'js', headers: worker }))
    .get('/app.webmanifest', serveStatic({ read: read(web.webManifest), type: 'webmanifest' }));
}

const readBuilt = (web: WebApp | null, name: string) => Bun.file(`${web?.folder}/${name}`).bytes();

async function notBuilt(): Promise<Response> {
  const text = "The web app hasn't been built. Start the server with: bun run start";
  return new Response(text, { status: 503, headers: { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' } });
}

/** The path of the files of the web app. */
const WEB_ASSETS_PATH = '/app';

/** The output of `bun apps/web/build.ts`. */
export interface WebApp {
  readonly folder: string;
  readonly page: string;
  readonly offlinePage: string;
  readonly serviceWorker: string;
  readonly webManifest: string;
  /** The names of the other files, each with a hash of its content in the name. */
  readonly files: readonly string[];
}

/** Reads the last build in `folder`; null if there is none. */
export function readWebApp(folder: string): WebApp | null {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Omit<WebApp, 'folder'>;
    return { folder, ...manifest };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
