import { Elysia } from 'elysia';
import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface HealthDeps {
  readonly store: Pick<Store, 'probe'>;
  readonly lifecycle: Pick<Lifecycle, 'phase'>;
}

/**
 * `GET /healthz`: the process is alive; if it is not, restart it. `GET /readyz`: send it requests; not while it starts,
 * stops, or its store fails. Both also answer HEAD, which some load balancers use.
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
