import type { MailQueue } from '../mail/mail-queue.ts';
import type { Config } from '../platform/config.ts';
import type { NewId } from '../platform/ids.ts';
import type { CertificateStatus, Clock, Log, Random } from '../platform/ports.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { RequestRate } from '../platform/sliding-window.ts';
import type { Node } from '../storage/postgres/nodes/node.ts';
import type { Store } from '../storage/store.ts';
import type { CredentialUses, PendingRevocations } from './credentials.ts';
import type { FailedAuthentication } from './failed-authentication.ts';

export type UserLimits = Pick<
  Config,
  'maxKeysPerHub' | 'maxLiveConnections' | 'maxRequestsPerMinute' | 'maxFileBytes' | 'filesMaxBytes'
>;

/**
 * The dependencies that every use case may have. Features with more state extend it next to its classes: `KeyDeps`,
 * `PasswordDeps`, `SessionDeps`, `LiveDeps`, `NotificationDeps`, `SearchDeps`. `create-deps.ts` builds all of them once.
 */
export interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  /** Encrypts the secrets that the database holds. */
  secrets: SecretBox;
  newId: NewId;
  log: Log;
  limits: UserLimits;
  server: ServerFacts;
  revocations: PendingRevocations;
  /** Returns the users who have a page open, on any node. */
  presentUsers: () => Promise<ReadonlySet<string>>;
  /** `null` if no mail is sent. */
  mail: MailQueue | null;
  /** `null` if this server runs alone, on the embedded storage. */
  node: Node | null;
}

/** The dependencies of authenticating users. */
export interface CredentialDeps extends Deps {
  credentialUse: CredentialUses;
  failedAuthentication: FailedAuthentication;
  requestRate: RequestRate;
}

/** Facts about the running server. */
export interface ServerFacts {
  version: string;
  /** `HUB_BASE_URL`, or the address that the server listens on, which is known only after it has started. */
  baseUrl(): string;
  /** `HUB_HOST`, if its traffic is unencrypted and leaves this machine. */
  plainHttpHost: string | null;
  certificate(): CertificateStatus | null;
  dataDir: string;
  /** Milliseconds since 1970 UTC. */
  startedAt: number;
  startedAtMonotonic: number;
}
