/**
 * The path of a request as it was sent, without query and fragment, and without decoding: `/api/public/v1/%6dessages` is
 * another path than `/api/public/v1/messages`, for the gate and for the router alike.
 */
export function requestPath(request: Request): string {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** Whether `path` is `prefix` or lies under it. */
export function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
