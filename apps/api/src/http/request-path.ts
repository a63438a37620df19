/** Elysia looks for the slash that begins the path from this character of the URL on. */
const ELYSIA_LOOKS_FROM = 11;

/**
 * The path of a request as it was sent, without query and fragment, and without decoding: `/api/public/v1/%6dessages` is
 * another path than `/api/public/v1/messages`, for the gate and for the router alike.
 */
export function requestPath(request: Request): string {
  const { url } = request;
  const start = pathStart(url);
  if (start === -1) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/**
 * Gives a request with a short host (`http://hub/`, three letters or less) a URL in which Elysia finds the path that the
 * gates judge. Elysia skips the first eleven characters of the URL, and would take `http://x/zzz/api/v1/hubs` for
 * `/api/v1/hubs`, which no gate has seen. The request itself stays: its body, signal and what is noted of it.
 */
export function makeRoutable(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  if (start !== -1 && start < ELYSIA_LOOKS_FROM) {
    Object.defineProperty(request, 'url', { value: `http://short-host.invalid${url.slice(start)}` });
  }
  return request;
}

/** Whether `path` is `prefix` or lies under it. */
export function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('://') + 3);
}
