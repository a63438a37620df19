/** The methods that each route answers, to tell a wrong method (405, with `Allow`) from an unknown path (404). */
export interface RouteMethods {
  allowed(path: string): string[];
}

/** Routes with parameters are written as in Elysia: `/api/v1/hubs/:hubId`. */
export function routeMethods(routes: readonly { method: string; path: string }[]): RouteMethods {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`),
  }));
  return {
    allowed: (path) => [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))],
  };
}
