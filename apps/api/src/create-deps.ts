import { LIMITS } from '@hub/contract';
import { CredentialUses, PendingRevocations } from './access/credentials.ts';
import type { ServerFacts, UserLimits } from './access/deps.ts';
import { clientNetwork, FailedAuthentication } from './access/failed-authentication.ts';
import type { WebApp } from './http/web/pages.routes.ts';
import { LiveServer } from './live/live-server.ts';
import { MailQueue } from './mail/mail-queue.ts';
import { type NotificationDeps, Notifications } from './notifications/notifications.ts';
import { generateKeyPair } from './notifications/push-transport.ts';
import type { ProviderSettings } from './platform/config.ts';
import { LocalGuessCounts } from './platform/guess-counts.ts';
import { createIds, type NewId } from './platform/ids.ts';
import type { Clock, Log, MailTransport, PasswordHasher, PushTransport, Random } from './platform/ports.ts';
import { SecretBox } from './platform/secret-box.ts';
import { settings } from './platform/settings.ts';
import { RequestRate } from './platform/sliding-window.ts';
import { restoreBlocks } from './programs/flush-keys.ts';
import { CommitListeners, type CommitReport } from './storage/commit-report.ts';
import type { PushIdentity } from './storage/notifications.ts';
import type { Node } from './storage/postgres/nodes/node.ts';
import type { Repositories } from './storage/repositories.ts';
import type { ItemSearch, Store } from './storage/store.ts';
import { type FileDeps, Previews } from './workspace/files/files.ts';
import { type KeyDeps, KeyLimiter, KeyUsage } from './workspace/keys/key-usage.ts';
import { type SearchDeps, searchTurns } from './workspace/search/search-items.ts';
import { PasswordGuesses, PasswordQueue } from './workspace/users/check-password.ts';
import { linkForMail, type ResetDeps } from './workspace/users/forgotten-password.ts';
import { IdentityProvider } from './workspace/users/identity-provider.ts';
import { CHALLENGES } from './workspace/users/passkeys.ts';
import { appSecret } from './workspace/users/second-factor.ts';

interface Adapters {
  clock: Clock;
  random: Random;
  /** The value of `HUB_SECRETS_KEY`. */
  secretKeys?: readonly Uint8Array[];
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
  /** Sends mails, if a mail server is configured. */
  mail?: MailTransport | null | undefined;
  /** The OpenID Connect provider, if there is one. */
  provider?: ProviderSettings | null | undefined;
  /** If omitted, the defaults of the configuration apply. */
  limits?: Partial<UserLimits> | undefined;
  web: WebApp | null;
}

/** The dependencies of all use cases. */
export interface AppDeps extends FileDeps, KeyDeps, ResetDeps, NotificationDeps, SearchDeps {
  /** The pages for browsers; `null` if they were not built. */
  web: WebApp | null;
  commits: CommitListeners;
}

/** Builds the dependencies of the use cases, and restores key blocks that a previous process saved. */
export async function createDeps({
  openStore,
  startSearch,
  openedNode,
  push,
  pushContact = null,
  provider = null,
  mail = null,
  secretKeys = [],
  ...adapters
}: Adapters): Promise<AppDeps> {
  const { random } = adapters;
  let node: Node | undefined;
  const clock = openedNode ? databaseClock(adapters.clock, () => node?.clockDifferenceMs() ?? 0) : adapters.clock;
  const limits: UserLimits = {
    maxKeysPerHub: settings.maxKeysPerHub.default,
    maxLiveConnections: settings.maxLiveConnections.default,
    maxRequestsPerMinute: settings.maxRequestsPerMinute.default,
    maxFileBytes: settings.maxFileBytes.default,
    filesMaxBytes: settings.filesMaxBytes.default,
    ...adapters.limits,
  };
  const newId = createIds(clock, random);
  const commits = new CommitListeners();
  const store = await openStore(newId, commits.report);
  node = openedNode?.();
  const secrets = new SecretBox(secretKeys, random);
  if (secrets.hasKey) await store.transaction((tx) => renewSecrets(tx, secrets));
  const credentialUse = new CredentialUses(clock);
  const revocations = new PendingRevocations();
  const live = new LiveServer({ store, clock, log: adapters.log, credentialUse, revocations });
  commits.add(live);
  const notifications = new Notifications({
    ...adapters,
    clock,
    store,
    commits,
    live,
    revocations,
    push: push && { transport: push, identity: await pushIdentity(store, secrets, random) },
    baseUrl: adapters.server.baseUrl,
    pushContact,
    shared: node?.notifications ?? null,
    heads: await store.events.heads(),
  });
  const guessCounts = node?.guessCounts ?? new LocalGuessCounts(clock);
  const deps: AppDeps = {
    ...adapters,
    clock,
    newId,
    secrets,
    store,
    node: node ?? null,
    commits,
    mail:
      mail &&
      new MailQueue({
        ...{ clock, store, newId, log: adapters.log, transport: mail },
        baseUrl: adapters.server.baseUrl,
        linkFor: (tx, waiting) => linkForMail(deps, tx, waiting),
      }),
    limiter: node?.limiter ?? (await localLimiter(store, clock)),
    usage: new KeyUsage(clock),
    revocations,
    presentUsers: () => notifications.presentUsers(),
    failedAuthentication: new FailedAuthentication(clock, clientNetwork),
    failedPasswords: new FailedAuthentication(clock),
    passwordGuesses: new PasswordGuesses(guessCounts),
    resetCounts: guessCounts,
    passwords: new PasswordQueue(adapters.passwords, clock),
    provider: provider && new IdentityProvider({ ...adapters, clock, settings: provider }),
    credentialUse,
    live,
    notifications,
    limits,
    previews: new Previews({ store, clock, log: adapters.log }),
    requestRate: new RequestRate(clock, { requests: limits.maxRequestsPerMinute, windowSeconds: 60 }),
    testNotificationRate: new RequestRate(clock, { requests: LIMITS.testNotificationsPerMinute, windowSeconds: 60 }),
    search: startSearch(),
    searchTurns: searchTurns(clock),
  };
  return deps;
}

/**
 * The clock of the database, by the difference that a node has measured: the times of items, and what has expired, are the
 * same on all nodes, and need no further round trip.
 */
function databaseClock(clock: Clock, differenceMs: () => number): Clock {
  return {
    now: () => clock.now() - differenceMs(),
    monotonic: () => clock.monotonic(),
    sleep: (ms) => clock.sleep(ms),
    sinceBoot: () => clock.sinceBoot(),
  };
}

/** Returns the limiter of a server that runs alone, with the blocks of its last run. */
async function localLimiter(store: Store, clock: Clock): Promise<KeyLimiter> {
  const limiter = new KeyLimiter(clock);
  await restoreBlocks({ store, clock, limiter });
  return limiter;
}

const PUSH = 'push identity';

/** Returns the push identity. It is created on the first start and kept, since push subscriptions depend on it. */
async function pushIdentity(store: Store, secrets: SecretBox, random: Random): Promise<PushIdentity> {
  const opened = ({ publicKey, privateKey }: PushIdentity) => ({
    publicKey,
    privateKey: secrets.open(privateKey, PUSH),
  });
  const stored = await store.notifications.findIdentity();
  if (stored) return opened(stored);
  const identity = generateKeyPair(random);
  return store.transaction(async ({ notifications }) => {
    // Another node may have started at the same moment.
    const other = await notifications.findIdentity();
    if (other) return opened(other);
    await notifications.insertIdentity({ ...identity, privateKey: secrets.seal(identity.privateKey, PUSH) });
    return identity;
  });
}

/**
 * Encrypts what is not yet encrypted with the first key.
 * @throws StartError if a key is missing
 */
async function renewSecrets({ factors, notifications }: Repositories, secrets: SecretBox): Promise<void> {
  const identity = await notifications.findIdentity();
  const privateKey = identity && secrets.renew(identity.privateKey, PUSH);
  if (privateKey) await notifications.setPrivateKey(privateKey);
  const challengeSecret = await factors.challengeSecret();
  const challenge = challengeSecret && secrets.renew(challengeSecret, CHALLENGES);
  if (challenge) await factors.setChallengeSecret(challenge);
  for (const { id, key } of await factors.listApps()) {
    const renewed = secrets.renew(key, appSecret(id));
    if (renewed) await factors.setKey(id, renewed);
  }
}
