/** The methods of each route, to distinguish a wrong method (405, with `Allow`) from an unknown path (404). */
export interface RouteMethods {
  allowed(path: string): string[];
}

/** Builds the table from the routes of Elysia, which handles HEAD wherever there is a GET. */
export function routeMethods(routes: readonly { method: string; path: string }[]): RouteMethods {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`),
  }));
  return {
    allowed: (path) => {
      const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
      return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)))];
    },
  };
}
