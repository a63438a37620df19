import type { Config } from './config.ts';
import type { NewId } from './ids.ts';
import type { FailedAuthentication } from './keys/failed-authentication.ts';
import type { KeyLimiter } from './keys/key-limiter.ts';
import type { KeyUsage } from './keys/key-usage.ts';
import type { PendingRevocations } from './keys/pending-revocations.ts';
import type { LiveServer } from './live/live-server.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { WebApp } from './pages/web-app.ts';
import type { Clock, Log, Random } from './ports.ts';
import type { ItemSearch } from './store/item-search.ts';
import type { Store } from './store/store.ts';
import type { CredentialUses } from './users/credential-use.ts';
import type { PasswordGuesses } from './users/password-guesses.ts';
import type { PasswordQueue } from './users/password-queue.ts';
import type { RequestRate } from './users/request-rate.ts';

export type UserLimits = Pick<Config, 'maxKeysPerHub' | 'maxLiveConnections' | 'maxRequestsPerMinute'>;

/** What use-cases work with. main.ts builds it once; the tests build it over a real store and a test clock. */
export interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
  limiter: KeyLimiter;
  usage: KeyUsage;
  revocations: PendingRevocations;
  failedAuthentication: FailedAuthentication;
  /** The same for wrong passwords, by the account that they were tried on. */
  failedPasswords: FailedAuthentication;
  passwordGuesses: PasswordGuesses;
  credentialUse: CredentialUses;
  passwords: PasswordQueue;
  live: LiveServer;
  notifications: Notifications;
  requestRate: RequestRate;
  testNotificationRate: RequestRate;
  limits: UserLimits;
  search: ItemSearch;
  server: ServerFacts;
  /** The pages for browsers; `null` if they were not built. */
  web: WebApp | null;
}

/** What this process is. */
export interface ServerFacts {
  version: string;
  /** `HUB_BASE_URL`, or the address that it listens on, which is known only once it does. */
  baseUrl(): string;
  /** `HUB_HOST`, if what passes there can be read by others. */
  plainHttpHost: string | null;
  dataDir: string;
  /** Milliseconds since 1970 UTC. */
  startedAt: number;
  startedAtMonotonic: number;
}
