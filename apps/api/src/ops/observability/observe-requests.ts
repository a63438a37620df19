import { PUBLIC_API_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { publicPaths } from '@hub/contract/operations/public';
import type { ResponseObserver } from '../../http/announce-connection.ts';
import { ERROR_STATUS } from '../../http/error-response.ts';
import { isUnder, routePattern } from '../../http/request-context.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { HistogramCounts, type MeasuredMetrics, type MetricTable } from './measured.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const MAX_LOGGED_PATH_CHARACTERS = 200;

/** Monitoring systems request these every few seconds; at the usual log level they would bury everything else. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

interface ObserveOptions {
  readonly routes: readonly { readonly path: string }[];
  readonly metrics: RequestMetrics;
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
    const kind = status === 201 ? publicPaths.get(route)?.kind : undefined;
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
      hubId: posted?.hubId,
      itemId: posted?.itemId,
      seq: posted?.seq,
      liveViews: posted?.countViews(),
    };
    if (QUIET_ROUTES.has(route)) log.debug(fields, 'request');
    else log.info(fields, 'request');
  };
}

/** The label for all paths without a route, since callers can invent any number of them. */
const UNKNOWN_ROUTE = 'other';

/** Finds the pattern of the route for a path (`/api/v1/hubs/:hubId`): a label with few values. */
function routeLabels(routes: readonly { readonly path: string }[]): (path: string) => string {
  const paths = [...new Set(routes.map((route) => route.path))];
  const fixed = new Set(paths.filter((path) => !/[:*]/.test(path)));
  let patterns: { path: string; pattern: RegExp }[] | undefined;

  return (path) => {
    if (fixed.has(path)) return path;
    patterns ??= paths.filter((path) => !fixed.has(path)).map((path) => ({ path, pattern: routePattern(path) }));
    return patterns.find(({ pattern }) => pattern.test(path))?.path ?? UNKNOWN_ROUTE;
  };
}

const POST_KINDS = ['message', 'note', 'todo'] as const;
const APIS = ['public', 'workspace', 'other'] as const;

/** Returns the part of the server that a path belongs to: the public API, the workspace API, or everything else. */
function apiOf(path: string): (typeof APIS)[number] {
  if (isUnder(path, PUBLIC_API_PATH)) return 'public';
  return isUnder(path, WORKSPACE_API_PATH) ? 'workspace' : 'other';
}

/** A completed request. Every field has a bounded set of values, so that callers cannot make the metrics grow. */
interface RequestObservation {
  readonly api: (typeof APIS)[number];
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  readonly error: ErrorCode | 'internal' | null;
}

export interface RequestMetrics {
  request(observation: RequestObservation): void;
  postCreated(kind: (typeof POST_KINDS)[number]): void;
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The requests of one route: how often each method got each status, and how long they took. */
interface RouteCounts {
  readonly methods: Map<string, Map<number, number>>;
  readonly durations: HistogramCounts;
}

/** Every request is counted in plain numbers, which become metrics when they are read. */
export function requestMetrics(metrics: MeasuredMetrics): RequestMetrics {
  const counted = {
    routes: new Map<string, RouteCounts>(),
    posts: { message: 0, note: 0, todo: 0 },
    rejections: rejectionsAtZero(),
  };
  const { routes, posts, rejections } = counted;
  metrics.add(REQUEST_METRICS, () => counted);
  return {
    request({ api, method, route, status, seconds, error }) {
      let counts = routes.get(route);
      if (!counts) {
        counts = { methods: new Map(), durations: new HistogramCounts(DURATION_BUCKETS_SECONDS) };
        routes.set(route, counts);
      }
      counts.durations.observe(seconds);
      let statuses = counts.methods.get(method);
      if (!statuses) {
        statuses = new Map();
        counts.methods.set(method, statuses);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (error === null) return;
      const labels = { api, status, reason: error };
      const key = Object.values(labels).join(' ');
      rejections.set(key, { labels, count: (rejections.get(key)?.count ?? 0) + 1 });
    },
    postCreated: (kind) => {
      posts[kind] += 1;
    },
  };
}

/** Returns all series at 0. If a series began with its first event, no rate and no alert would include that event. */
function rejectionsAtZero() {
  const series = APIS.flatMap((api) =>
    Object.entries({ ...ERROR_STATUS, internal: 500 }).map(([reason, status]) => ({ api, status, reason })),
  );
  return new Map(series.map((labels) => [Object.values(labels).join(' '), { labels, count: 0 }]));
}

const REQUEST_METRICS: MetricTable<{
  routes: Map<string, RouteCounts>;
  posts: Record<(typeof POST_KINDS)[number], number>;
  rejections: ReturnType<typeof rejectionsAtZero>;
}> = [
  [
    'hub_http_requests_total',
    'Completed requests, by method, route and status.',
    ({ routes }) =>
      [...routes].flatMap(([route, { methods }]) =>
        [...methods].flatMap(([method, statuses]) =>
          Array.from(statuses, ([status, count]) => [{ method, route, status }, count] as const),
        ),
      ),
  ],
  [
    'hub_http_request_duration_seconds',
    'Time from the arrival of a request to its response, by route.',
    ({ routes }) => [...routes].flatMap(([route, { durations }]) => durations.samples({ route })),
    'histogram',
  ],
  [
    'hub_rejections_total',
    'Rejected requests, by API, status and reason.',
    ({ rejections }) => Array.from(rejections.values(), ({ labels, count }) => [labels, count] as const),
  ],
  [
    'hub_posts_total',
    'Posts created with API keys, by kind.',
    ({ posts }) => POST_KINDS.map((kind) => [{ kind }, posts[kind]] as const),
  ],
];
