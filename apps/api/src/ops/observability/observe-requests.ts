import { PUBLIC_API_PATH } from '@hub/contract';
import type { ResponseObserver } from '../../http/announce-connection.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import type { Metrics } from './metrics.ts';
import { apiOf } from './request-metrics.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const MAX_LOGGED_PATH_CHARACTERS = 200;

/** The routes of the public API, with the kind of item each creates. */
const POST_ROUTES = new Map([
  [`${PUBLIC_API_PATH}/messages`, 'message'],
  [`${PUBLIC_API_PATH}/notes`, 'note'],
  [`${PUBLIC_API_PATH}/todos`, 'todo'],
  [`${PUBLIC_API_PATH}/relay/slack`, 'message'],
  [`${PUBLIC_API_PATH}/relay/alertmanager`, 'message'],
  [`${PUBLIC_API_PATH}/relay/grafana`, 'message'],
] as const);

/** Monitoring systems request these every few seconds; at the usual log level they would bury everything else. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

interface ObserveOptions {
  readonly routes: readonly { readonly path: string }[];
  readonly metrics: Pick<Metrics, 'request' | 'postCreated'>;
  readonly log: Log;
  readonly clock: Clock;
}

/** Counts, times and logs every request once its response is known. */
export function observeRequests({ routes, metrics, log, clock }: ObserveOptions): ResponseObserver {
  const labelOf = routeLabels(routes);

  return (request, { requestId, path, startedAt, address, key, caller, error, posted }, { status }) => {
    const durationMs = clock.monotonic() - startedAt;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = labelOf(path);
    metrics.request({ api: apiOf(path), method, route, status, seconds: durationMs / 1000, error });
    const kind = status === 201 ? POST_ROUTES.get(route as never) : undefined;
    if (kind) metrics.postCreated(kind);

    const fields = {
      requestId,
      method: request.method,
      path: path.slice(0, MAX_LOGGED_PATH_CHARACTERS),
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      address,
      keyId: key?.id,
      userId: caller?.user?.id,
      error: error ?? undefined,
      ...posted,
    };
    if (QUIET_ROUTES.has(route)) log.debug(fields, 'request');
    else log.info(fields, 'request');
  };
}

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
