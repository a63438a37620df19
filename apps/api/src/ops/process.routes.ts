import { Elysia } from 'elysia';
import { type HealthDeps, healthRoutes } from './health.routes.ts';
import { type MetricsDeps, metricsRoutes } from './metrics.routes.ts';

/** What tells of the process itself. To be used after all other routes, as `metricsRoutes` says. */
export function processRoutes(deps: HealthDeps & MetricsDeps) {
  return new Elysia({ name: 'process', detail: { hide: true } }).use(healthRoutes(deps)).use(metricsRoutes(deps));
}
