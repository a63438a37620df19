import { LIMITS } from '@hub/contract';
import { clientNetwork } from './access/client-network.ts';
import { CredentialUses } from './access/credential-use.ts';
import type { ServerFacts, UserLimits } from './access/deps.ts';
import { FailedAuthentication } from './access/failed-authentication.ts';
import { PendingRevocations } from './access/pending-revocations.ts';
import { RequestRate } from './access/request-rate.ts';
import type { WebApp } from './http/web/web-app.ts';
import { LiveServer } from './live/live-server.ts';
import { UnreadNotifier } from './live/page-notifiers.ts';
import { type NotificationDeps, Notifications } from './notifications/notifications.ts';
import { generateKeyPair } from './notifications/push-keys.ts';
import { settings } from './platform/config.ts';
import { LocalGuessCounts } from './platform/guess-counts.ts';
import { createIds, type NewId } from './platform/ids.ts';
import type { Clock, Log, PasswordHasher, PushTransport, Random } from './platform/ports.ts';
import { restoreBlocks } from './programs/flush-keys.ts';
import { KeyLimiter } from './programs/key-limiter.ts';
import type { CommitReport } from './storage/commit-report.ts';
import type { ItemSearch } from './storage/item-search.ts';
import type { PushIdentity } from './storage/notifications.ts';
import type { Node } from './storage/postgres/nodes/node.ts';
import type { Store } from './storage/store.ts';
import { type KeyDeps, KeyUsage } from './workspace/keys/key-usage.ts';
import { type SearchDeps, searchTurns } from './workspace/search/search-items.ts';
import { type PasswordDeps, PasswordGuesses } from './workspace/users/check-password.ts';
import { PasswordQueue } from './workspace/users/password-queue.ts';

interface Adapters {
  clock: Clock;
  random: Random;
  log: Log;
  passwords: PasswordHasher;
  /** The store calls `onCommit` after every commit, in order, before anything else is notified of the commit. */
  openStore: (newId: NewId, onCommit: (report: CommitReport) => void) => Store | Promise<Store>;
  startSearch: () => ItemSearch;
  /** Called once the store is open. Returns nothing if this server runs alone. */
  openedNode?: () => Node | undefined;
  /** `null`: notifications are not pushed. */
  push: PushTransport | null;
  pushContact?: string | null;
  server: ServerFacts;
  /** If omitted, the defaults of the configuration apply. */
  limits?: Partial<UserLimits> | undefined;
  web: WebApp | null;
}

/** The dependencies of all use cases. */
export interface AppDeps extends KeyDeps, PasswordDeps, NotificationDeps, SearchDeps {
  /** The pages for browsers; `null` if they were not built. */
  web: WebApp | null;
}

/** Builds the dependencies of the use cases, and restores key blocks that a previous process saved. */
export async function createDeps({
  openStore,
  startSearch,
  openedNode,
  push,
  pushContact = null,
  ...adapters
}: Adapters): Promise<AppDeps> {
  const { clock, random } = adapters;
  const limits: UserLimits = {
    maxKeysPerHub: settings.maxKeysPerHub.default,
    maxLiveConnections: settings.maxLiveConnections.default,
    maxRequestsPerMinute: settings.maxRequestsPerMinute.default,
    ...adapters.limits,
  };
  const newId = createIds(clock, random);
  let live: LiveServer | undefined;
  let unreadNotifier: UnreadNotifier | undefined;
  let notifications: Notifications | undefined;
  const store = await openStore(newId, (report) => {
    live?.committed(report);
    if (report.unreadChanges.length > 0) unreadNotifier?.committed(report);
    notifications?.committed(report);
  });
  const node = openedNode?.() ?? null;
  const credentialUse = new CredentialUses(clock);
  const revocations = new PendingRevocations();
  live = new LiveServer({ store, clock, log: adapters.log, credentialUse, revocations });
  unreadNotifier = new UnreadNotifier({ store, live, log: adapters.log });
  notifications = new Notifications({
    ...adapters,
    store,
    live,
    revocations,
    push: push && { transport: push, identity: await pushIdentity(store, random) },
    baseUrl: adapters.server.baseUrl,
    pushContact,
    shared: node?.notifications ?? null,
    heads: await store.events.heads(),
  });
  return {
    ...adapters,
    newId,
    store,
    node,
    limiter: node?.limiter ?? (await localLimiter(store, clock)),
    usage: new KeyUsage(clock),
    revocations,
    failedAuthentication: new FailedAuthentication(clock, clientNetwork),
    failedPasswords: new FailedAuthentication(clock),
    passwordGuesses: new PasswordGuesses(node?.guessCounts ?? new LocalGuessCounts(clock)),
    passwords: new PasswordQueue(adapters.passwords, clock),
    credentialUse,
    live,
    notifications,
    limits,
    requestRate: new RequestRate(clock, { requests: limits.maxRequestsPerMinute, windowSeconds: 60 }),
    testNotificationRate: new RequestRate(clock, { requests: LIMITS.testNotificationsPerMinute, windowSeconds: 60 }),
    search: startSearch(),
    searchTurns: searchTurns(clock),
  };
}

/** Returns the limiter of a server that runs alone, with the blocks of its last run. */
async function localLimiter(store: Store, clock: Clock): Promise<KeyLimiter> {
  const limiter = new KeyLimiter(clock);
  await restoreBlocks({ store, clock, limiter });
  return limiter;
}

/** Returns the push identity. It is created on the first start and kept, since push subscriptions depend on it. */
async function pushIdentity(store: Store, random: Random): Promise<PushIdentity> {
  const stored = await store.notifications.findIdentity();
  if (stored) return stored;
  const identity = generateKeyPair(random);
  return store.transaction(async ({ notifications }) => {
    // Another node may have started at the same moment.
    const other = await notifications.findIdentity();
    if (!other) await notifications.insertIdentity(identity);
    return other ?? identity;
  });
}
