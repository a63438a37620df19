import type { Config } from '../platform/config.ts';
import type { NewId } from '../platform/ids.ts';
import type { Clock, Log, Random } from '../platform/ports.ts';
import type { Node } from '../storage/postgres/nodes/node.ts';
import type { Store } from '../storage/store.ts';
import type { PendingRevocations } from './pending-revocations.ts';

export type UserLimits = Pick<Config, 'maxKeysPerHub' | 'maxLiveConnections' | 'maxRequestsPerMinute'>;

/**
 * The dependencies that every use case may have. Features with more state extend it next to its classes: `CredentialDeps`, `KeyDeps`,
 * `PasswordDeps`, `SessionDeps`, `LiveDeps`, `NotificationDeps`, `SearchDeps`. `create-deps.ts` builds all of them once.
 */
export interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
  limits: UserLimits;
  server: ServerFacts;
  revocations: PendingRevocations;
  /** `null` if this server runs alone, on the embedded storage. */
  node: Node | null;
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
