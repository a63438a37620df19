/** The label for all paths without a route, since callers can invent any number of them. */
export const UNKNOWN_ROUTE = 'other';

/** Finds the pattern of the route for a path (`/api/v1/hubs/:hubId`): a label with few values. */
export function routeLabels(routes: readonly { readonly path: string }[]): (path: string) => string {
  const paths = [...new Set(routes.map((route) => route.path))];
  const fixed = new Set(paths.filter((path) => !/[:*]/.test(path)));
  const patterns = paths
    .filter((path) => !fixed.has(path))
    .map((path) => ({ path, pattern: new RegExp(`^${path.split('/').map(segmentPattern).join('/')}$`) }));

  return (path) => {
    if (fixed.has(path)) return path;
    return patterns.find(({ pattern }) => pattern.test(path))?.path ?? UNKNOWN_ROUTE;
  };
}

function segmentPattern(segment: string): string {
  if (segment === '*') return '.*';
  if (segment.startsWith(':')) return '[^/]+';
  return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
