import { Elysia } from 'elysia';
import { AppError } from '../../platform/errors.ts';
import type { Store } from '../../storage/store.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { type MetricsDeps, metricsRoutes } from './metrics.routes.ts';

interface HealthDeps {
  readonly store: Pick<Store, 'probe'>;
  readonly lifecycle: Pick<Lifecycle, 'phase'>;
}

/**
 * `GET /healthz` returns 200 while the process is alive, `GET /readyz` while it accepts requests and its store works,
 * otherwise 503. Both support HEAD, which some load balancers use.
 */
export function healthRoutes({ store, lifecycle }: HealthDeps) {
  const alive = () => ({ status: 'alive' });
  const ready = async () => {
    if (lifecycle.phase !== 'serving') throw new AppError('unavailable', `The server is ${lifecycle.phase}.`);
    await store.probe();
    return { status: 'ready' };
  };
  return new Elysia({ name: 'health', detail: { hide: true } })
    .get('/healthz', alive)
    .head('/healthz', alive)
    .get('/readyz', ready)
    .head('/readyz', ready);
}

/** Health checks and metrics of the process. Add them after all other routes, as `metricsRoutes` explains. */
export function processRoutes(deps: HealthDeps & MetricsDeps) {
  return new Elysia({ name: 'process', detail: { hide: true } }).use(healthRoutes(deps)).use(metricsRoutes(deps));
}
