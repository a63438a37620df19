import { PUBLIC_API_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../errors.ts';
import { ERROR_STATUS } from '../http/error-response.ts';
import { isUnder } from '../http/request-path.ts';

const POST_KINDS = ['message', 'note', 'todo'] as const;
const APIS = ['public', 'workspace', 'other'] as const;

/** Which part of the server a path belongs to: what programs use, what people use, and all the rest. */
export function apiOf(path: string): (typeof APIS)[number] {
  if (isUnder(path, PUBLIC_API_PATH)) return 'public';
  return isUnder(path, WORKSPACE_API_PATH) ? 'workspace' : 'other';
}

/** One answered request. Every field comes from a bounded set, or the metrics would grow with what callers invent. */
export interface RequestObservation {
  readonly api: (typeof APIS)[number];
  readonly method: string;
  /** The pattern of the route, not the path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Why it was refused, if it was. */
  readonly error: ErrorCode | 'internal' | null;
}

export interface RequestMetrics {
  request(observation: RequestObservation): void;
  postCreated(kind: (typeof POST_KINDS)[number]): void;
}

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function requestMetrics(registers: Registry[]): RequestMetrics {
  const requests = new Counter({
    name: 'hub_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'hub_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'hub_refusals_total',
    help: 'Requests that were refused, by API, status and reason.',
    labelNames: ['api', 'status', 'reason'],
    registers,
  });
  const posts = new Counter({
    name: 'hub_posts_total',
    help: 'Posts committed for programs, by kind.',
    labelNames: ['kind'],
    registers,
  });
  startAtZero(errors, posts);

  return {
    request({ api, method, route, status, seconds, error }) {
      requests.inc({ method, route, status });
      durations.observe({ route }, seconds);
      if (error !== null) errors.inc({ api, status, reason: error });
    },
    postCreated: (kind) => posts.inc({ kind }),
  };
}

/** A series that first appears with its first event hides that event from every rate: an alert would miss it. */
function startAtZero(errors: Counter<'api' | 'status' | 'reason'>, posts: Counter<'kind'>): void {
  for (const kind of POST_KINDS) posts.inc({ kind }, 0);
  for (const api of APIS) {
    for (const [reason, status] of Object.entries({ ...ERROR_STATUS, internal: 500 })) {
      errors.inc({ api, status, reason }, 0);
    }
  }
}
