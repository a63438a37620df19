/** Elysia searches for the first slash of the path from this index of the URL. */
const ELYSIA_LOOKS_FROM = 11;

/**
 * Returns the path of a request without its query or fragment, and without decoding it. To the gate and the router,
 * `/api/public/v1/%6dessages` is not `/api/public/v1/messages`.
 */
export function requestPath(request: Request): string {
  const { url } = request;
  const start = pathStart(url);
  if (start === -1) return '/';
  const path = url.slice(start);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/**
 * Gives a request with a short host (`http://hub/`, three letters or fewer) a URL in which Elysia finds the same path
 * as the gates. Elysia skips the first eleven characters of the URL, and would read `http://x/zzz/api/v1/hubs` as
 * `/api/v1/hubs`, which no gate has checked. The request object stays the same: its body, signal and context.
 */
export function makeRoutable(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  if (start !== -1 && start < ELYSIA_LOOKS_FROM) {
    Object.defineProperty(request, 'url', { value: `http://short-host.invalid${url.slice(start)}` });
  }
  return request;
}

/** Whether `path` is `prefix` or is under it. */
export function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('://') + 3);
}
