import { Elysia } from 'elysia';
import { type HealthDeps, healthRoutes } from './health.routes.ts';
import { type MetricsDeps, metricsRoutes } from './metrics.routes.ts';

/** Health checks and metrics of the process. Add them after all other routes, as `metricsRoutes` explains. */
export function processRoutes(deps: HealthDeps & MetricsDeps) {
  return new Elysia({ name: 'process', detail: { hide: true } }).use(healthRoutes(deps)).use(metricsRoutes(deps));
}
