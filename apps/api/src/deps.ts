import type { Config } from './config.ts';
import type { CoreDeps } from './core-deps.ts';
import type { FailedAuthentication } from './keys/failed-authentication.ts';
import type { KeyLimiter } from './keys/key-limiter.ts';
import type { KeyUsage } from './keys/key-usage.ts';
import type { LiveServer } from './live/live-server.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { WebApp } from './pages/web-app.ts';
import type { ItemSearch } from './storage/item-search.ts';
import type { PasswordGuesses } from './users/password-guesses.ts';
import type { PasswordQueue } from './users/password-queue.ts';
import type { RequestRate } from './users/request-rate.ts';

export type UserLimits = Pick<Config, 'maxKeysPerHub' | 'maxLiveConnections' | 'maxRequestsPerMinute'>;

/** The dependencies of the use-cases. main.ts builds them once; tests build them with a real store and a test clock. */
export interface Deps extends CoreDeps {
  limiter: KeyLimiter;
  usage: KeyUsage;
  /** Like `failedAuthentication`, but for wrong passwords, counted per account. */
  failedPasswords: FailedAuthentication;
  passwordGuesses: PasswordGuesses;
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
