import { createHash, timingSafeEqual } from 'node:crypto';
import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import { bearerToken, contextOf } from '../../http/request-context.ts';
import { AppError } from '../../platform/errors.ts';
import type { Store } from '../../storage/store.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { Metrics } from './metrics.ts';

interface HealthDeps {
  readonly store: Pick<Store, 'probe'>;
  readonly lifecycle: Pick<Lifecycle, 'phase' | 'isCommitFailing'>;
}

/**
 * `/healthz`: the process is alive. `/readyz`: it accepts requests, and its store can be read. Balancers may send HEAD.
 * A server whose writes fail is still ready, since taking it out would take the reads as well.
 */
export function healthRoutes({ store, lifecycle }: HealthDeps) {
  const alive = () => ({ status: 'alive' });
  const ready = async () => {
    if (lifecycle.phase !== 'serving') throw new AppError('unavailable', `The server is ${lifecycle.phase}.`);
    await store.probe();
    return { status: 'ready', writes: lifecycle.isCommitFailing ? 'failing' : 'ok' };
  };
  return new Elysia({ name: 'health', detail: { hide: true } })
    .get('/healthz', alive)
    .head('/healthz', alive)
    .get('/readyz', ready)
    .head('/readyz', ready);
}

const READING = ['GET', 'HEAD'];

interface MetricsDeps {
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>;
  /** HUB_METRICS_TOKEN: grants access to the metrics on the public listener. `null`: no access there. */
  readonly metricsToken: string | null;
}

/**
 * `GET /metrics` for Prometheus; without authorization the 404 of an unknown path, whatever the method. Add this after
 * all other routes, since the bearer plugin applies to every route that follows.
 */
export function metricsRoutes({ metrics, metricsToken }: MetricsDeps) {
  return new Elysia({ name: 'metrics', detail: { hide: true } }).use(bearer()).all(
    '/metrics',
    async ({ request, bearer: fromPlugin }) => {
      // The plugin requires the exact spelling `Bearer`, and falls back to the query string, where proxies would log
      // tokens.
      const isAsPluginReads = request.headers.get('authorization')?.startsWith('Bearer ');
      const token = isAsPluginReads ? fromPlugin : bearerToken(request.headers);
      const mayRead = contextOf(request).transport === 'local' || isSameSecret(token ?? '', metricsToken);
      if (!mayRead) throw new AppError('not_found', 'There is nothing at /metrics.');
      if (!READING.includes(request.method)) {
        const allow = READING.join(', ');
        throw new AppError('method_not_allowed', `/metrics only accepts ${allow}.`, { allow });
      }
      return new Response(await metrics.render(), { headers: { 'content-type': metrics.contentType } });
    },
    { parse: 'none' },
  );
}

/** Compares digests of equal length, so that the time taken does not reveal how much of the secret is right. */
function isSameSecret(secret: string, expected: string | null): boolean {
  if (expected === null) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(secret), digest(expected));
}

/** Health checks and metrics of the process. Add them after all other routes, as `metricsRoutes` explains. */
export function processRoutes(deps: HealthDeps & MetricsDeps) {
  return new Elysia({ name: 'process', detail: { hide: true } }).use(healthRoutes(deps)).use(metricsRoutes(deps));
}
