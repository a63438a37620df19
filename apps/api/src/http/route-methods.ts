/** Returns a pattern for the paths of a route as it is written in Elysia: `/api/v1/hubs/:hubId`, `/files/*`. */
export function routePattern(path: string): RegExp {
  const literal = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replace(/:[^/]+/g, '[^/]+')}$`);
}

/** Returns a function for the methods of a path, which tells a wrong method (405) from an unknown path (404). */
export function allowedMethods(routes: readonly { method: string; path: string }[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: routePattern(path) }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    // Elysia handles HEAD wherever there is a GET.
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)))];
  };
}
