import type { Config } from '../core/config.ts';
import type { NewId } from '../core/ids.ts';
import type { Clock, Log, Random } from '../core/ports.ts';
import type { ItemSearch } from '../storage/item-search.ts';
import type { Store } from '../storage/store.ts';

export type UserLimits = Pick<Config, 'maxKeysPerHub' | 'maxLiveConnections' | 'maxRequestsPerMinute'>;

/**
 * The dependencies of the use cases, which `create-deps.ts` builds once. A feature that holds state adds it here itself,
 * next to its class (`declare module '../context/deps.ts'`), so that this file imports no feature.
 */
export interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
  limits: UserLimits;
  search: ItemSearch;
  server: ServerFacts;
}

/** Facts about the running server. */
export interface ServerFacts {
  version: string;
  /** `HUB_BASE_URL`, or the address that the server listens on, which is known only after it has started. */
  baseUrl(): string;
  /** `HUB_HOST`, if its traffic is unencrypted and leaves this machine. */
  plainHttpHost: string | null;
  dataDir: string;
  /** Milliseconds since 1970 UTC. */
  startedAt: number;
  startedAtMonotonic: number;
}
